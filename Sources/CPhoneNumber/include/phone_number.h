#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    /// As long as its country's fixed or mobile numbers.
    CHATTER_PHONE_POSSIBLE,
    /// Also in a range that the country has given out.
    CHATTER_PHONE_VALID,
} chatter_phone_rule;

/// Reads `text` (UTF-8, zero-terminated) as a phone number in international form and writes its canonical
/// E.164 spelling, zero-terminated, into `out`. Returns the length written, or -1 when it breaks the rule or `out` (of
/// `capacity` bytes) is too small.
int chatter_phone_canonical(const char *text, chatter_phone_rule rule, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
