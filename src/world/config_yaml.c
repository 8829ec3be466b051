#include "world/config_yaml.h"

#include <stdbool.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"

struct source {
    const char *text;
    size_t length;
    const char *name;
    struct eco_error *error;
};

static size_t line_of(const struct source *source, size_t offset)
{
    size_t line = 1;

    for (size_t i = 0; i < offset && i < source->length; i++)
        line += source->text[i] == '\n';
    return line;
}

static int syntax_error(const struct source *source, const yaml_parser_t *parser)
{
    size_t line = parser->problem_mark.line + 1;

    /* Where memory runs out, libyaml does not always say so. */
    if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
        return eco_error_set(source->error, ECO_ENOMEM, "%s: out of memory", source->name);
    if (parser->error == YAML_READER_ERROR)
        return eco_error_set(source->error, ECO_ECONFIG, "%s:%zu: not YAML: %s (0x%02x)",
                             source->name, line_of(source, parser->problem_offset), parser->problem,
                             (unsigned)parser->problem_value);
    if (parser->error == YAML_COMPOSER_ERROR && parser->context)
        return eco_error_set(source->error, ECO_ECONFIG, "%s:%zu: not YAML: %s on line %zu",
                             source->name, line, parser->context, parser->context_mark.line + 1);
    if (parser->context)
        return eco_error_set(source->error, ECO_ECONFIG, "%s:%zu: not YAML: %s %s (from line %zu)",
                             source->name, line, parser->problem, parser->context,
                             parser->context_mark.line + 1);
    return eco_error_set(source->error, ECO_ECONFIG, "%s:%zu: not YAML: %s", source->name, line,
                         parser->problem);
}

static int limit_error(const struct source *source, const yaml_event_t *event, const char *what)
{
    return eco_error_set(source->error, ECO_ECONFIG, "%s:%zu: %s", source->name,
                         event->start_mark.line + 1, what);
}

/* What a document has used of its limits. */
struct usage {
    unsigned documents, depth, nodes, anchors;
};

static int count_node(const struct source *source, const yaml_event_t *event,
                      const yaml_char_t *anchor, const yaml_char_t *tag, struct usage *usage)
{
    if (tag)
        return limit_error(source, event, "a tag is given; values have no tags here");
    if (++usage->nodes > ECO_CONFIG_NODES_MAX)
        return limit_error(source, event, "too many values; at most 262144");
    if (anchor && ++usage->anchors > ECO_CONFIG_ANCHORS_MAX)
        return limit_error(source, event, "too many anchors; at most 256");
    return 0;
}

static int count_event(const struct source *source, const yaml_event_t *event, struct usage *usage)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++usage->documents > 1)
            return limit_error(source, event, "a second document begins; one is allowed");
        return 0;
    case YAML_SCALAR_EVENT:
        return count_node(source, event, event->data.scalar.anchor, event->data.scalar.tag, usage);
    case YAML_SEQUENCE_START_EVENT:
        if (++usage->depth > ECO_CONFIG_DEPTH_MAX)
            return limit_error(source, event, "nested too deep; at most 16 levels");
        return count_node(source, event, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag, usage);
    case YAML_MAPPING_START_EVENT:
        if (++usage->depth > ECO_CONFIG_DEPTH_MAX)
            return limit_error(source, event, "nested too deep; at most 16 levels");
        return count_node(source, event, event->data.mapping_start.anchor,
                          event->data.mapping_start.tag, usage);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        usage->depth--;
        return 0;
    default:
        return 0;
    }
}

static int parser_start(const struct source *source, yaml_parser_t *parser)
{
    if (!yaml_parser_initialize(parser))
        return eco_error_set(source->error, ECO_ENOMEM, "%s: out of memory", source->name);
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)source->text, source->length);
    return 0;
}

/* Walks over all events before a tree is built: libyaml's time grows with the square of depth and
 * anchors, so both are bounded first. */
static int check_events(const struct source *source)
{
    struct usage usage = {0};
    yaml_parser_t parser;
    int code = parser_start(source, &parser);
    bool more = true;

    if (code != 0)
        return code;
    while (code == 0 && more) {
        yaml_event_t event;

        if (!yaml_parser_parse(&parser, &event)) {
            code = syntax_error(source, &parser);
            break;
        }
        code = count_event(source, &event, &usage);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    if (code == 0 && usage.documents == 0)
        code =
            eco_error_set(source->error, ECO_ECONFIG,
                          "%s:1: the file is empty; a mapping with worlds is needed", source->name);
    yaml_parser_delete(&parser);
    return code;
}

int eco_config_yaml_load(const char *text, size_t length, const char *name,
                         yaml_document_t *document, struct eco_error *error)
{
    static const char mark[] = "\xEF\xBB\xBF";
    struct source source = {text, length, name, error};
    yaml_parser_t parser;
    size_t broken;
    int code;

    if (length > ECO_CONFIG_BYTES_MAX)
        return eco_error_set(error, ECO_ECONFIG, "%s: the file is too large; at most %d bytes",
                             name, ECO_CONFIG_BYTES_MAX);
    broken = eco_utf8_check(text, length);
    if (broken < length)
        return eco_error_set(error, ECO_ECONFIG,
                             "%s:%zu: byte 0x%02x is not UTF-8; UTF-8 is needed", name,
                             line_of(&source, broken), (unsigned char)text[broken]);
    /* libyaml lets nothing but a directive follow a byte order mark. */
    if (length >= 3 && memcmp(text, mark, 3) == 0) {
        source.text += 3;
        source.length -= 3;
    }
    code = check_events(&source);
    if (code != 0)
        return code;
    code = parser_start(&source, &parser);
    if (code != 0)
        return code;
    if (!yaml_parser_load(&parser, document))
        code = syntax_error(&source, &parser);
    yaml_parser_delete(&parser);
    return code;
}
