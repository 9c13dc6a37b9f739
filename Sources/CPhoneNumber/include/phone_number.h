#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads `text` (UTF-8, zero-terminated) as a phone number in international form and writes its canonical
/// E.164 spelling, zero-terminated, into `out`. Returns the length written, or -1 when it is no valid
/// number or `out` (of `capacity` bytes) is too small.
int chatter_phone_canonical(const char *text, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
