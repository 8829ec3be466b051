#include "world/config_read.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "world/config_value.h"

#define SHOWN_MAX 60       /* bytes of a value in an error */
#define NAME_SHOWN_MAX 200 /* bytes of a file's name in an error: the end of it */

/* The entries of a mapping, by the index of their key in the section. */
struct entries {
    yaml_node_t *values[ECO_CONFIG_KEYS_MAX];
};

static int read_section(struct eco_config_reader *reader, const struct eco_config_section *section,
                        yaml_node_t *node, void *object);

static bool is_text(const yaml_node_t *node, const char *text)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == strlen(text) &&
           memcmp(node->data.scalar.value, text, node->data.scalar.length) == 0;
}

/* --- where, and what is wrong --------------------------------------------------------------- */

static size_t push_key(struct eco_config_reader *reader, const char *key)
{
    size_t mark = reader->path_length;
    size_t room = sizeof(reader->path) - mark;
    int length = snprintf(reader->path + mark, room, "%s%s", mark ? "." : "", key);

    reader->path_length += (size_t)length < room ? (size_t)length : room - 1;
    return mark;
}

static size_t push_index(struct eco_config_reader *reader, size_t index)
{
    size_t mark = reader->path_length;
    size_t room = sizeof(reader->path) - mark;
    int length = snprintf(reader->path + mark, room, "[%zu]", index);

    reader->path_length += (size_t)length < room ? (size_t)length : room - 1;
    return mark;
}

static void pop(struct eco_config_reader *reader, size_t mark)
{
    reader->path_length = mark;
    reader->path[mark] = '\0';
}

static int fault_text(struct eco_config_reader *reader, size_t line, const char *text)
{
    size_t length = strlen(reader->name);
    const char *name =
        length > NAME_SHOWN_MAX ? reader->name + length - NAME_SHOWN_MAX : reader->name;

    return eco_error_set(reader->error, ECO_ECONFIG, "%s:%zu: %s%s%s", name, line, reader->path,
                         reader->path_length ? ": " : "", text);
}

static int fault(struct eco_config_reader *reader, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fault(struct eco_config_reader *reader, size_t line, const char *format, ...)
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
    size_t mark = push_key(reader, key);
    char text[ECO_ERROR_TEXT_MAX];
    va_list args;
    int code;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    code = fault_text(reader, node ? node->start_mark.line + 1 : reader->line, text);
    pop(reader, mark);
    return code;
}

static int out_of_memory(struct eco_config_reader *reader)
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

static const char *const *choices_of(const struct eco_config_key *key)
{
    return key->choices_of ? key->choices_of() : key->choices;
}

/* The range of a key: where it stands instead of another, it may depend on what was read before. */
static void range_of(const struct eco_config_key *key, const void *object, double *low,
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

    range_of(key, object, &low, &high);
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
    case ECO_KEY_CHOICE:
    case ECO_KEY_WORD:
        list_choices(choices_of(key), out, size);
        break;
    case ECO_KEY_COLOUR:
        snprintf(out, size, "\"#rrggbb\" in quotes");
        break;
    case ECO_KEY_SECTION:
        used = snprintf(out, size, "a mapping with ");
        list_keys(key->section, out + used, size - (size_t)used);
        break;
    case ECO_KEY_LIST:
        snprintf(out, size, "a list of %.10g to %.10g %s", low, high, key->section->noun);
        break;
    }
}

static const char *noun_of(const struct eco_config_key *key)
{
    static const char *const nouns[] = {
        [ECO_KEY_NUMBER] = "a number", [ECO_KEY_WHOLE] = "a whole number",
        [ECO_KEY_BYTES] = "a size",    [ECO_KEY_TEXT] = "a text",
        [ECO_KEY_CHOICE] = "a choice", [ECO_KEY_WORD] = "a choice",
        [ECO_KEY_COLOUR] = "a colour", [ECO_KEY_SECTION] = "a mapping",
        [ECO_KEY_LIST] = "a list",
    };

    return nouns[key->kind];
}

static bool is_null(const yaml_node_t *node)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};

    if (node->type != YAML_SCALAR_NODE || node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return false;
    for (size_t i = 0; i < sizeof(nulls) / sizeof(nulls[0]); i++) {
        if (is_text(node, nulls[i]))
            return true;
    }
    return false;
}

/* A value of the wrong type, or, with ECO_ERANGE, of the right type and out of range. */
static int value_fault(struct eco_config_reader *reader, const struct eco_config_key *key,
                       const void *object, const yaml_node_t *node, int code)
{
    size_t line = node->start_mark.line + 1;
    char shown[SHOWN_MAX + 6], allowed[256];

    describe(key, object, allowed, sizeof(allowed));
    if (is_null(node))
        return fault(reader, line, "no value is given; %s", allowed);
    if (node->type == YAML_SCALAR_NODE)
        eco_value_show((const char *)node->data.scalar.value, node->data.scalar.length, SHOWN_MAX,
                       shown, sizeof(shown));
    else
        snprintf(shown, sizeof(shown), "%s",
                 node->type == YAML_MAPPING_NODE ? "a mapping" : "a list");
    if (code == ECO_ERANGE)
        return fault(reader, line, "%s is out of range; %s", shown, allowed);
    if (node->type == YAML_SCALAR_NODE && (key->check || choices_of(key)))
        return fault(reader, line, "%s is not allowed; %s", shown, allowed);
    return fault(reader, line, "%s is not %s; %s", shown, noun_of(key), allowed);
}

/* --- one value ------------------------------------------------------------------------------ */

static void store_integer(void *member, size_t size, int64_t value)
{
    switch (size) {
    case 1:
        *(uint8_t *)member = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)member = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)member = (uint32_t)value;
        break;
    default:
        *(int64_t *)member = value;
        break;
    }
}

static int store_number(const struct eco_config_key *key, void *object, const char *text,
                        size_t length)
{
    double low, high, value;
    int code = eco_value_number(text, length, &value);

    if (code != 0)
        return code;
    range_of(key, object, &low, &high);
    if (low < high && (value < low || value > high))
        return ECO_ERANGE;
    if (key->over > 0)
        value = key->over / value;
    if (key->shift)
        value -= key->shift(object);
    *(double *)((char *)object + key->offset) = value;
    return 0;
}

static int store_whole(const struct eco_config_key *key, void *object, const char *text,
                       size_t length)
{
    int64_t value;
    int code = key->kind == ECO_KEY_BYTES ? eco_value_bytes(text, length, &value)
                                          : eco_value_whole(text, length, &value);

    if (code != 0)
        return code;
    if (key->low < key->high && ((double)value < key->low || (double)value > key->high))
        return ECO_ERANGE;
    store_integer((char *)object + key->offset, key->size, value);
    return 0;
}

static int store_choice(const struct eco_config_key *key, void *object, const char *text,
                        size_t length)
{
    const char *const *choices = choices_of(key);
    void *member = (char *)object + key->offset;

    for (size_t i = 0; choices[i]; i++) {
        if (strlen(choices[i]) != length || memcmp(choices[i], text, length) != 0)
            continue;
        if (key->kind == ECO_KEY_WORD)
            *(const char **)member = choices[i];
        else if (key->kind == ECO_KEY_WHOLE)
            return store_whole(key, object, text, length);
        else
            store_integer(member, key->size, (int64_t)i);
        return 0;
    }
    return ECO_EINVAL;
}

static int store_text(struct eco_config_reader *reader, const struct eco_config_key *key,
                      void *object, const char *text, size_t length)
{
    bool fits = length >= key->low && length <= key->high && eco_value_plain(text, length);
    char *copy;

    if (key->check && (!fits || !key->check(text)))
        return ECO_EINVAL;
    if (!fits)
        return ECO_ERANGE;
    copy = eco_arena_alloc(reader->arena, length + 1, 1);
    if (!copy)
        return ECO_ENOMEM;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *(const char **)((char *)object + key->offset) = copy;
    return 0;
}

/* ECO_EINVAL and ECO_ERANGE as in config_value.h, or ECO_ENOMEM. */
static int store(struct eco_config_reader *reader, const struct eco_config_key *key, void *object,
                 const char *text, size_t length)
{
    switch (key->kind) {
    case ECO_KEY_NUMBER:
        return store_number(key, object, text, length);
    case ECO_KEY_WHOLE:
        if (key->choices)
            return store_choice(key, object, text, length);
        return store_whole(key, object, text, length);
    case ECO_KEY_BYTES:
        return store_whole(key, object, text, length);
    case ECO_KEY_TEXT:
        return store_text(reader, key, object, text, length);
    case ECO_KEY_CHOICE:
    case ECO_KEY_WORD:
        return store_choice(key, object, text, length);
    case ECO_KEY_COLOUR:
        return eco_value_colour(text, length, (uint32_t *)((char *)object + key->offset));
    default:
        return ECO_EINVAL;
    }
}

static int read_scalar(struct eco_config_reader *reader, const struct eco_config_key *key,
                       yaml_node_t *node, void *object)
{
    int code;

    if (is_null(node) && key->nullable)
        return 0;
    if (is_null(node) || node->type != YAML_SCALAR_NODE)
        return value_fault(reader, key, object, node, ECO_EINVAL);
    code =
        store(reader, key, object, (const char *)node->data.scalar.value, node->data.scalar.length);
    if (code == ECO_ENOMEM)
        return out_of_memory(reader);
    return code == 0 ? 0 : value_fault(reader, key, object, node, code);
}

static int read_default(struct eco_config_reader *reader, const struct eco_config_key *key,
                        void *object)
{
    char allowed[256];
    int code;

    if (key->optional)
        return 0;
    if (!key->fallback) {
        describe(key, object, allowed, sizeof(allowed));
        return fault(reader, reader->line, "missing; %s", allowed);
    }
    code = store(reader, key, object, key->fallback, strlen(key->fallback));
    assert(code == 0 || code == ECO_ENOMEM);
    return code == 0 ? 0 : out_of_memory(reader);
}

/* --- lists and mappings --------------------------------------------------------------------- */

static yaml_node_t *item_of(struct eco_config_reader *reader, yaml_node_t *list, size_t index)
{
    return yaml_document_get_node(reader->document, list->data.sequence.items.start[index]);
}

static bool same_value(const struct eco_config_key *key, const void *a, const void *b)
{
    const char *left = (const char *)a + key->offset, *right = (const char *)b + key->offset;

    if (key->kind == ECO_KEY_TEXT)
        return strcmp(*(const char *const *)left, *(const char *const *)right) == 0;
    return memcmp(left, right, key->size) == 0;
}

/* Fails at the first of `count` objects that has the same value of `key` as one before it. */
static int check_unique(struct eco_config_reader *reader, const struct eco_config_key *list_key,
                        const struct eco_config_key *key, yaml_node_t *list, const char *objects,
                        size_t count)
{
    size_t size = list_key->section->size;

    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            yaml_node_t *first;
            const yaml_node_t *value;

            if (!same_value(key, objects + i * size, objects + j * size))
                continue;
            first = eco_config_find(reader, item_of(reader, list, j), key->name);
            value = eco_config_find(reader, item_of(reader, list, i), key->name);
            push_index(reader, i);
            return eco_config_fault(reader, item_of(reader, list, i), key->name,
                                    "%s is taken by %s[%zu] on line %zu; each needs its own",
                                    (const char *)value->data.scalar.value, list_key->name, j,
                                    first->start_mark.line + 1);
        }
    }
    return 0;
}

static int read_list(struct eco_config_reader *reader, const struct eco_config_key *key,
                     yaml_node_t *node, void *object)
{
    const struct eco_config_key item_key = {.kind = ECO_KEY_SECTION, .section = key->section};
    size_t count, size = key->section->size;
    char *objects;
    int code = 0;

    if (node->type != YAML_SEQUENCE_NODE)
        return value_fault(reader, key, object, node, ECO_EINVAL);
    count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if ((double)count < key->low || (double)count > key->high) {
        char allowed[256];

        describe(key, object, allowed, sizeof(allowed));
        return fault(reader, node->start_mark.line + 1, "a list of %zu is out of range; %s", count,
                     allowed);
    }
    objects = eco_arena_alloc(reader->arena, count, size);
    if (!objects)
        return out_of_memory(reader);
    memset(objects, 0, count * size);
    for (size_t i = 0; i < count && code == 0; i++) {
        yaml_node_t *item = item_of(reader, node, i);
        size_t mark = push_index(reader, i);

        code = item->type == YAML_MAPPING_NODE
                   ? read_section(reader, key->section, item, objects + i * size)
                   : value_fault(reader, &item_key, object, item, ECO_EINVAL);
        if (code == 0)
            pop(reader, mark);
    }
    for (unsigned k = 0; k < key->section->count && code == 0; k++) {
        if (key->section->keys[k].unique)
            code = check_unique(reader, key, &key->section->keys[k], node, objects, count);
    }
    *(void **)((char *)object + key->offset) = objects;
    *(unsigned *)((char *)object + key->count_offset) = (unsigned)count;
    return code;
}

static int unknown_key(struct eco_config_reader *reader, const struct eco_config_section *section,
                       const yaml_node_t *node)
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
    return fault(reader, node->start_mark.line + 1, "%s is an unknown key; %s%s%sknown are %s",
                 shown, close ? "did you mean " : "", close ? close : "", close ? "? " : "", known);
}

/* Sorts the values of a mapping by key. */
static int collect(struct eco_config_reader *reader, const struct eco_config_section *section,
                   yaml_node_t *mapping, struct entries *entries)
{
    const yaml_node_pair_t *pairs = mapping->data.mapping.pairs.start;
    size_t count = (size_t)(mapping->data.mapping.pairs.top - pairs);

    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *node = yaml_document_get_node(reader->document, pairs[i].key);
        unsigned k = 0;

        if (node->type != YAML_SCALAR_NODE)
            return fault(reader, node->start_mark.line + 1, "a key must be a text");
        while (k < section->count && !is_text(node, section->keys[k].name))
            k++;
        if (k == section->count)
            return unknown_key(reader, section, node);
        if (entries->values[k]) {
            push_key(reader, section->keys[k].name);
            return fault(reader, node->start_mark.line + 1, "given twice; the first is on line %zu",
                         entries->values[k]->start_mark.line + 1);
        }
        entries->values[k] = yaml_document_get_node(reader->document, pairs[i].value);
    }
    return 0;
}

/* The index of the key that `key` may stand for or that may stand for it, with a value; -1 when
 * there is none. */
static int given_instead(const struct eco_config_section *section, const struct entries *entries,
                         const struct eco_config_key *key)
{
    for (unsigned k = 0; k < section->count; k++) {
        const struct eco_config_key *other = &section->keys[k];

        if (entries->values[k] && ((other->instead && strcmp(other->instead, key->name) == 0) ||
                                   (key->instead && strcmp(key->instead, other->name) == 0)))
            return (int)k;
    }
    return -1;
}

static int read_key(struct eco_config_reader *reader, const struct eco_config_section *section,
                    const struct entries *entries, unsigned index, void *object)
{
    const struct eco_config_key *key = &section->keys[index];
    yaml_node_t *node = entries->values[index];
    int other = given_instead(section, entries, key);

    if (key->kind == ECO_KEY_SECTION) {
        if (node && node->type != YAML_MAPPING_NODE && !is_null(node))
            return value_fault(reader, key, object, node, ECO_EINVAL);
        return read_section(reader, key->section, node, (char *)object + key->offset);
    }
    if (!node)
        return key->instead || other >= 0 ? 0 : read_default(reader, key, object);
    if (other >= 0)
        return fault(reader, node->start_mark.line + 1,
                     "given beside %s on line %zu; one of the two is enough",
                     section->keys[other].name, entries->values[other]->start_mark.line + 1);
    if (key->kind == ECO_KEY_LIST)
        return read_list(reader, key, node, object);
    return read_scalar(reader, key, node, object);
}

/* `node` may be NULL or without a value: all keys have their defaults then. */
static int read_section(struct eco_config_reader *reader, const struct eco_config_section *section,
                        yaml_node_t *node, void *object)
{
    struct entries entries = {{NULL}};
    size_t line = reader->line;
    int code = 0;

    assert(section->count <= ECO_CONFIG_KEYS_MAX);
    if (node)
        reader->line = node->start_mark.line + 1;
    if (node && node->type == YAML_MAPPING_NODE)
        code = collect(reader, section, node, &entries);
    for (unsigned k = 0; k < section->count && code == 0; k++) {
        size_t mark = push_key(reader, section->keys[k].name);

        code = read_key(reader, section, &entries, k, object);
        if (code == 0)
            pop(reader, mark);
    }
    if (code == 0 && section->finish)
        code = section->finish(reader, node, object);
    reader->line = line;
    return code;
}

yaml_node_t *eco_config_find(struct eco_config_reader *reader, yaml_node_t *mapping,
                             const char *key)
{
    if (!mapping || mapping->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *node = yaml_document_get_node(reader->document, pair->key);

        if (is_text(node, key))
            return yaml_document_get_node(reader->document, pair->value);
    }
    return NULL;
}

int eco_config_read(struct eco_config_reader *reader, const struct eco_config_section *section,
                    void *object)
{
    const struct eco_config_key key = {.kind = ECO_KEY_SECTION, .section = section};
    yaml_node_t *root = yaml_document_get_root_node(reader->document);

    reader->line = 1;
    pop(reader, 0);
    if (root->type != YAML_MAPPING_NODE)
        return value_fault(reader, &key, object, root, ECO_EINVAL);
    return read_section(reader, section, root, object);
}
