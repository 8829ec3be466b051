#include "world/config_fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "world/config_value.h"

#define SHOWN_MAX 60 /* bytes of a value in an error */

bool eco_config_node_is(const yaml_node_t *node, const char *text)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == strlen(text) &&
           memcmp(node->data.scalar.value, text, node->data.scalar.length) == 0;
}

size_t eco_config_push_key(struct eco_config_reader *reader, const char *key)
{
    size_t mark = reader->path_length;
    size_t room = sizeof(reader->path) - mark;
    int length = snprintf(reader->path + mark, room, "%s%s", mark ? "." : "", key);

    reader->path_length += (size_t)length < room ? (size_t)length : room - 1;
    return mark;
}

size_t eco_config_push_index(struct eco_config_reader *reader, size_t index)
{
    size_t mark = reader->path_length;
    size_t room = sizeof(reader->path) - mark;
    int length = snprintf(reader->path + mark, room, "[%zu]", index);

    reader->path_length += (size_t)length < room ? (size_t)length : room - 1;
    return mark;
}

void eco_config_pop(struct eco_config_reader *reader, size_t mark)
{
    reader->path_length = mark;
    reader->path[mark] = '\0';
}

static int fault_text(struct eco_config_reader *reader, size_t line, const char *text)
{
    return eco_error_set(reader->error, ECO_ECONFIG, "%s:%zu: %s%s%s", reader->name, line,
                         reader->path, reader->path_length ? ": " : "", text);
}

int eco_config_fault_at(struct eco_config_reader *reader, size_t line, const char *format, ...)
{
    char text[ECO_ERROR_TEXT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return fault_text(reader, line, text);
}

int eco_config_fault(struct eco_config_reader *reader, yaml_node_t *mapping, const char *key,
                     const char *format, ...)
{
    const char *dot = strrchr(key, '.');
    yaml_node_t *node = eco_config_find(reader, mapping, dot ? dot + 1 : key);
    size_t mark = eco_config_push_key(reader, key);
    char text[ECO_ERROR_TEXT_MAX];
    va_list args;
    int code;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    code = fault_text(reader, node ? node->start_mark.line + 1 : reader->line, text);
    eco_config_pop(reader, mark);
    return code;
}

int eco_config_fault_memory(struct eco_config_reader *reader)
{
    return eco_error_set(reader->error, ECO_ENOMEM, "%s: out of memory", reader->name);
}

/* "a, b or c" */
static void list_choices(const char *const *choices, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; choices[i] && used < size; i++) {
        const char *separator = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        int length = snprintf(out + used, size - used, "%s%s", separator, choices[i]);

        used += (size_t)length;
    }
}

/* "a, b, c" */
static void list_keys(const struct eco_config_section *section, char *out, size_t size)
{
    size_t used = 0;

    for (unsigned k = 0; k < section->count && used < size; k++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s", k ? ", " : "", section->keys[k].name);
}

const char *const *eco_config_choices(const struct eco_config_key *key)
{
    return key->choices_of ? key->choices_of() : key->choices;
}

/* The range of a key: where it stands instead of another, it may depend on what was read before. */
void eco_config_range(const struct eco_config_key *key, const void *object, double *low,
                      double *high)
{
    double shift = key->shift ? key->shift(object) : 0;

    *low = key->low + shift;
    *high = key->high + shift;
}

/* What is allowed, as a phrase. */
static void describe(const struct eco_config_key *key, const void *object, char *out, size_t size)
{
    const char *unit = key->unit ? key->unit : "";
    const char *comma = key->unit ? ", " : "";
    double low, high;
    int used;

    eco_config_range(key, object, &low, &high);
    switch (key->kind) {
    case ECO_KEY_NUMBER:
    case ECO_KEY_WHOLE:
        if (key->choices) {
            used = snprintf(out, size, "%s%s", unit, comma);
            list_choices(key->choices, out + used, size - (size_t)used);
        } else if (low < high) {
            snprintf(out, size, "%s%s%.10g to %.10g", unit, comma, low, high);
        } else {
            snprintf(out, size, "%s", unit);
        }
        break;
    case ECO_KEY_BYTES:
        snprintf(out, size, "bytes, or text such as 64MiB, up to %.10g GiB", high / 1073741824);
        break;
    case ECO_KEY_TEXT:
        if (key->check)
            snprintf(out, size, "%s", unit);
        else
            snprintf(out, size, "%s, %.10g to %.10g bytes, no control characters", unit, low, high);
        break;
    case ECO_KEY_WORDS:
        list_choices(eco_config_choices(key), out, size);
        used = (int)strlen(out);
        snprintf(out + used, size - (size_t)used, ", or a list of %.10g to %.10g %s", low, high,
                 unit);
        break;
    case ECO_KEY_CHOICE:
    case ECO_KEY_WORD:
        list_choices(eco_config_choices(key), out, size);
        break;
    case ECO_KEY_COLOUR:
        snprintf(out, size, "\"#rrggbb\" in quotes");
        break;
    case ECO_KEY_SECTION:
        used = snprintf(out, size, "a mapping with ");
        list_keys(key->section, out + used, size - (size_t)used);
        break;
    case ECO_KEY_LIST:
        snprintf(out, size, "a list of %.10g to %.10g %s%s%s", low, high, key->section->noun,
                 key->unit ? ", or " : "", key->unit ? key->unit : "");
        break;
    }
}

static const char *noun_of(const struct eco_config_key *key)
{
    static const char *const nouns[] = {
        [ECO_KEY_NUMBER] = "a number",   [ECO_KEY_WHOLE] = "a whole number",
        [ECO_KEY_BYTES] = "a size",      [ECO_KEY_TEXT] = "a text",
        [ECO_KEY_CHOICE] = "a choice",   [ECO_KEY_WORD] = "a choice",
        [ECO_KEY_WORDS] = "a choice",    [ECO_KEY_COLOUR] = "a colour",
        [ECO_KEY_SECTION] = "a mapping", [ECO_KEY_LIST] = "a list",
    };

    return nouns[key->kind];
}

bool eco_config_node_null(const yaml_node_t *node)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};

    if (node->type != YAML_SCALAR_NODE || node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return false;
    for (size_t i = 0; i < sizeof(nulls) / sizeof(nulls[0]); i++) {
        if (eco_config_node_is(node, nulls[i]))
            return true;
    }
    return false;
}

/* A value of the wrong type, or, with ECO_ERANGE, of the right type and out of range. */
int eco_config_fault_value(struct eco_config_reader *reader, const struct eco_config_key *key,
                           const void *object, const yaml_node_t *node, int code)
{
    size_t line = node->start_mark.line + 1;
    char shown[SHOWN_MAX + 6], allowed[256];

    describe(key, object, allowed, sizeof(allowed));
    if (eco_config_node_null(node))
        return eco_config_fault_at(reader, line, "no value is given; %s", allowed);
    if (node->type == YAML_SCALAR_NODE)
        eco_value_show((const char *)node->data.scalar.value, node->data.scalar.length, SHOWN_MAX,
                       shown, sizeof(shown));
    else
        snprintf(shown, sizeof(shown), "%s",
                 node->type == YAML_MAPPING_NODE ? "a mapping" : "a list");
    if (code == ECO_ERANGE)
        return eco_config_fault_at(reader, line, "%s is out of range; %s", shown, allowed);
    if (node->type == YAML_SCALAR_NODE && (key->check || eco_config_choices(key)))
        return eco_config_fault_at(reader, line, "%s is not allowed; %s", shown, allowed);
    return eco_config_fault_at(reader, line, "%s is not %s; %s", shown, noun_of(key), allowed);
}

int eco_config_fault_unknown(struct eco_config_reader *reader,
                             const struct eco_config_section *section, const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    char shown[SHOWN_MAX + 6], known[256];
    const char *close = NULL;

    for (unsigned k = 0; k < section->count && !close; k++) {
        if (eco_value_close(text, section->keys[k].name))
            close = section->keys[k].name;
    }
    list_keys(section, known, sizeof(known));
    eco_value_show(text, node->data.scalar.length, SHOWN_MAX, shown, sizeof(shown));
    return eco_config_fault_at(
        reader, node->start_mark.line + 1, "%s is an unknown key; %s%s%sknown are %s", shown,
        close ? "did you mean " : "", close ? close : "", close ? "? " : "", known);
}

int eco_config_fault_missing(struct eco_config_reader *reader, const struct eco_config_key *key,
                             const void *object)
{
    char allowed[256];

    describe(key, object, allowed, sizeof(allowed));
    return eco_config_fault_at(reader, reader->line, "missing; %s", allowed);
}

int eco_config_fault_length(struct eco_config_reader *reader, const struct eco_config_key *key,
                            const yaml_node_t *list, size_t count)
{
    char allowed[256];

    describe(key, NULL, allowed, sizeof(allowed));
    return eco_config_fault_at(reader, list->start_mark.line + 1,
                               "a list of %zu is out of range; %s", count, allowed);
}
