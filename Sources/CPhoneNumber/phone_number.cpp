#include "phone_number.h"

#include <cstring>
#include <string>

#include <phonenumbers/phonenumberutil.h>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

int chatter_phone_canonical(const char *text, chatter_phone_rule rule, char *out, size_t capacity) {
    const PhoneNumberUtil &util = *PhoneNumberUtil::GetInstance();
    PhoneNumber number;
    // "ZZ" is the library's unknown region: only international spellings are read.
    if (util.Parse(text, "ZZ", &number) != PhoneNumberUtil::NO_PARSING_ERROR) return -1;
    // Of any type a number may be longer: +65 99999999999 is as long as Singapore's toll-free ones. A number that can
    // only be dialled from within its own area has no place in E.164.
    if (util.IsPossibleNumberForTypeWithReason(number, PhoneNumberUtil::FIXED_LINE_OR_MOBILE) !=
        PhoneNumberUtil::IS_POSSIBLE)
        return -1;
    if (rule == CHATTER_PHONE_VALID && !util.IsValidNumber(number)) return -1;
    std::string canonical;
    util.Format(number, PhoneNumberUtil::E164, &canonical);
    if (canonical.size() + 1 > capacity) return -1;
    std::memcpy(out, canonical.c_str(), canonical.size() + 1);
    return static_cast<int>(canonical.size());
}
