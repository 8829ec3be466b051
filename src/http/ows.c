#include "http/ows.h"

#include <string.h>

#include "base/utf8.h"

static const struct {
    const char *name;
    unsigned status;
} codes[] = {
    [ECO_OWS_OTHER] = {"NoApplicableCode", 0},
    [ECO_OWS_MISSING] = {"MissingParameterValue", 400},
    [ECO_OWS_INVALID] = {"InvalidParameterValue", 400},
    [ECO_OWS_OUT_OF_RANGE] = {"TileOutOfRange", 400},
    [ECO_OWS_NOT_SUPPORTED] = {"OperationNotSupported", 501},
    [ECO_OWS_VERSION] = {"VersionNegotiationFailed", 400},
};

void eco_ows_text(const char *text, size_t length, struct eco_buffer *out)
{
    size_t at = 0;

    while (at < length) {
        size_t begin = at;
        int32_t code = eco_utf8_next(text, length, &at);

        if (code == '<')
            eco_buffer_printf(out, "&lt;");
        else if (code == '>')
            eco_buffer_printf(out, "&gt;");
        else if (code == '&')
            eco_buffer_printf(out, "&amp;");
        else if (code == '"')
            eco_buffer_printf(out, "&quot;");
        else if (code < 0x20 || code == 0xFFFE || code == 0xFFFF)
            eco_buffer_append(out, "?", 1);
        else
            eco_buffer_append(out, text + begin, at - begin);
    }
}

void eco_ows_report(enum eco_ows_code code, struct eco_slice locator, const char *sentence,
                    struct eco_buffer *out)
{
    eco_buffer_printf(out,
                      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<ExceptionReport xmlns=\"http://www.opengis.net/ows/1.1\""
                      " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
                      " xsi:schemaLocation=\"http://www.opengis.net/ows/1.1"
                      " http://schemas.opengis.net/ows/1.1.0/owsExceptionReport.xsd\""
                      " version=\"1.0.0\" xml:lang=\"en\">\n<Exception exceptionCode=\"%s\"",
                      codes[code].name);
    if (locator.length > 0) {
        eco_buffer_printf(out, " locator=\"");
        eco_ows_text(locator.data, locator.length, out);
        eco_buffer_printf(out, "\"");
    }
    eco_buffer_printf(out, "><ExceptionText>");
    eco_ows_text(sentence, strlen(sentence), out);
    eco_buffer_printf(out, "</ExceptionText></Exception>\n</ExceptionReport>\n");
}

unsigned eco_ows_status(enum eco_ows_code code, unsigned otherwise)
{
    return codes[code].status ? codes[code].status : otherwise;
}
