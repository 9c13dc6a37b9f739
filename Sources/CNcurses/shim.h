#pragma once
#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <wchar.h>

// Macros that Swift cannot read, as values.
static const attr_t chatter_bold = A_BOLD;
static const attr_t chatter_dim = A_DIM;
static const attr_t chatter_reverse = A_REVERSE;
static const attr_t chatter_plain = A_NORMAL;

// `stdin`, `stdout` and `stdscr` are global variables, which Swift refuses to touch. NULL when the terminal is unknown.
static inline WINDOW *chatter_open_screen(void) { return newterm(NULL, stdout, stdin) ? stdscr : NULL; }

// Declared by <wchar.h> only under feature macros that Swift does not set. -1 for what has no width.
int wcwidth(wchar_t character);
static inline int chatter_columns(wchar_t character) { return wcwidth(character); }
