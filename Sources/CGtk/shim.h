#pragma once
#include <adwaita.h>
#include <glib-unix.h>
#include <malloc.h>

// libdispatch's main-queue hooks, exported for CoreFoundation's run loop.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *unused);

// Macros and variadic functions that Swift cannot import.
static const GType CHATTER_TYPE_OBJECT = G_TYPE_OBJECT;
static const GType CHATTER_TYPE_STRING = G_TYPE_STRING;
static const GType CHATTER_TYPE_BOOLEAN = G_TYPE_BOOLEAN;
static const GType CHATTER_TYPE_INT = G_TYPE_INT;
static const GType CHATTER_TYPE_UINT = G_TYPE_UINT;
static const GType CHATTER_TYPE_FLOAT = G_TYPE_FLOAT;
static const GType CHATTER_TYPE_DOUBLE = G_TYPE_DOUBLE;
static const GType CHATTER_TYPE_ENUM = G_TYPE_ENUM;
static const GType CHATTER_TYPE_FLAGS = G_TYPE_FLAGS;

static inline GParamSpec *chatter_find_property(void *object, const char *name) {
    return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name);
}
static inline gboolean chatter_is_a(void *object, GType type) { return object && G_TYPE_CHECK_INSTANCE_TYPE(object, type); }
static inline void chatter_emit(void *object, const char *signal) { g_signal_emit_by_name(object, signal); }
static inline gboolean chatter_is_named(GtkAccessible *object, const char *name) {
    char *difference = gtk_test_accessible_check_property(object, GTK_ACCESSIBLE_PROPERTY_LABEL, name, NULL);
    g_free(difference);
    return difference == NULL;
}
static const GdkMemoryFormat CHATTER_MEMORY_DEFAULT = GDK_MEMORY_DEFAULT;
static inline size_t chatter_heap_in_use(void) {
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}
static inline void chatter_debug(const char *line) { g_log("chatter", G_LOG_LEVEL_DEBUG, "%s", line); }
static inline GtkWidget *chatter_message_dialog(GtkWindow *parent, const char *heading, const char *body) {
    GtkWidget *dialog = adw_message_dialog_new(parent, heading, NULL);
    adw_message_dialog_set_body(ADW_MESSAGE_DIALOG(dialog), body);
    return dialog;
}
