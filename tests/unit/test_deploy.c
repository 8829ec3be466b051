/* The files under config/ that other programs read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "world/config.h"

#define DOCUMENTS_MAX 8

struct documents {
    yaml_document_t list[DOCUMENTS_MAX];
    unsigned count;
};

static void load(const char *path, struct documents *out)
{
    FILE *file = fopen(path, "rb");
    yaml_parser_t parser;

    assert_non_null(file);
    assert_int_equal(yaml_parser_initialize(&parser), 1);
    yaml_parser_set_input_file(&parser, file);
    for (out->count = 0;; out->count++) {
        assert_true(out->count < DOCUMENTS_MAX);
        if (!yaml_parser_load(&parser, &out->list[out->count])) {
            print_message("%s:%zu: %s\n", path, parser.problem_mark.line + 1, parser.problem);
            fail();
        }
        if (!yaml_document_get_root_node(&out->list[out->count])) {
            yaml_document_delete(&out->list[out->count]);
            break;
        }
    }
    yaml_parser_delete(&parser);
    fclose(file);
}

static void release(struct documents *documents)
{
    while (documents->count > 0)
        yaml_document_delete(&documents->list[--documents->count]);
}

static yaml_node_t *member(yaml_document_t *document, yaml_node_t *node, const char *name,
                           size_t length)
{
    if (node->type == YAML_SEQUENCE_NODE) {
        yaml_node_item_t *item = node->data.sequence.items.start + (name[0] - '0');

        return item < node->data.sequence.items.top ? yaml_document_get_node(document, *item)
                                                    : NULL;
    }
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = yaml_document_get_node(document, pair->key);

        if (key->data.scalar.length == length && memcmp(key->data.scalar.value, name, length) == 0)
            return yaml_document_get_node(document, pair->value);
    }
    return NULL;
}

/* The text at "spec|containers|0|image", with a digit for the place in a list; NULL: there is none.
 */
static const char *text_at(yaml_document_t *document, const char *path)
{
    yaml_node_t *node = yaml_document_get_root_node(document);

    while (node && *path) {
        size_t length = strcspn(path, "|");

        node = member(document, node, path, length);
        path += length + (path[length] == '|');
    }
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static void assert_texts(yaml_document_t *document, const char *const (*pairs)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *found = text_at(document, pairs[i][0]);

        if (!found || strcmp(found, pairs[i][1]) != 0)
            print_message("%s: %s\n", pairs[i][0], found ? found : "is not there");
        assert_non_null(found);
        assert_string_equal(found, pairs[i][1]);
    }
}
#define ASSERT_TEXTS(document, pairs)                                                              \
    assert_texts(document, pairs, sizeof(pairs) / sizeof((pairs)[0]))

static void kubernetes_runs_it_confined_and_asks_after_it(void **state)
{
#define POD "spec|template|spec|"
#define CONTAINER POD "containers|0|"
    static const char *const deployment[][2] = {
        {"apiVersion", "apps/v1"},
        {"kind", "Deployment"},
        {"spec|selector|matchLabels|app", "ecotone"},
        {"spec|template|metadata|labels|app", "ecotone"},
        {POD "securityContext|runAsNonRoot", "true"},
        {POD "securityContext|runAsUser", "10001"},
        {POD "securityContext|seccompProfile|type", "RuntimeDefault"},
        {CONTAINER "readinessProbe|httpGet|path", "/readyz"},
        {CONTAINER "livenessProbe|httpGet|path", "/healthz"},
        {CONTAINER "ports|0|containerPort", "8080"},
        {CONTAINER "securityContext|readOnlyRootFilesystem", "true"},
        {CONTAINER "securityContext|allowPrivilegeEscalation", "false"},
        {CONTAINER "securityContext|capabilities|drop|0", "ALL"},
        {CONTAINER "volumeMounts|0|name", "cache"},
        {CONTAINER "volumeMounts|0|mountPath", "/data"},
        {POD "volumes|0|name", "cache"},
    };
    static const char *const service[][2] = {
        {"kind", "Service"}, {"spec|selector|app", "ecotone"}, {"spec|ports|0|targetPort", "http"}};
    struct eco_config *config = NULL;
    struct eco_error error = {0};
    struct documents documents;
    const char *text;

    (void)state;
    load("config/kubernetes.yaml", &documents);
    assert_int_equal(documents.count, 4);
    ASSERT_TEXTS(&documents.list[2], deployment);
    ASSERT_TEXTS(&documents.list[3], service);
    text = text_at(&documents.list[0], "data|ecotone.yaml");
    assert_non_null(text);
    if (eco_config_parse(text, strlen(text), "ecotone.yaml", &config, &error) != 0)
        fail_msg("%s", error.text);
    /* Where the volume is, and the port that the probes ask. */
    assert_string_equal(config->cache.path, "/data/tiles.sqlite");
    assert_string_equal(config->server.listen, "0.0.0.0:8080");
    assert_true(config->server.grace > 0);
    eco_config_free(config);
    release(&documents);
}

static void compose_runs_it_confined(void **state)
{
    static const char *const pairs[][2] = {
        {"services|ecotone|read_only", "true"},
        {"services|ecotone|cap_drop|0", "ALL"},
        {"services|ecotone|security_opt|0", "no-new-privileges:true"},
        {"services|ecotone|stop_grace_period", "45s"},
        {"services|nginx|ports|0", "8080:80"},
    };
    struct documents documents;

    (void)state;
    load("config/compose.yaml", &documents);
    assert_int_equal(documents.count, 1);
    ASSERT_TEXTS(&documents.list[0], pairs);
    release(&documents);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kubernetes_runs_it_confined_and_asks_after_it),
        cmocka_unit_test(compose_runs_it_confined),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
