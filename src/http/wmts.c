#include "http/wmts.h"

#include <string.h>

#include "http/documents.h"
#include "http/ows.h"

#define MATRIX_SET "GoogleMapsCompatible"
/* Of the OGC's well-known scale set: the equator on one tile of pixels of 0.28 mm. */
#define SCALE_DENOMINATOR 559082264.0287178
#define MERCATOR_HALF "20037508.3427892"

static void write_operation(const char *name, const char *root, struct eco_buffer *out)
{
    eco_buffer_printf(
        out,
        "<ows:Operation name=\"%s\"><ows:DCP><ows:HTTP><ows:Get xlink:href=\"%s/wmts?\">"
        "<ows:Constraint name=\"GetEncoding\"><ows:AllowedValues><ows:Value>KVP"
        "</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get></ows:HTTP>"
        "</ows:DCP></ows:Operation>\n",
        name, root);
}

static void write_limits(const struct eco_world_config *world, struct eco_buffer *out)
{
    eco_buffer_printf(out, "<TileMatrixSetLink><TileMatrixSet>" MATRIX_SET "</TileMatrixSet>"
                           "<TileMatrixSetLimits>");
    for (unsigned zoom = world->minzoom; zoom <= ECO_ZOOM_MAX; zoom++) {
        unsigned last = (1u << zoom) - 1;

        eco_buffer_printf(out,
                          "<TileMatrixLimits><TileMatrix>%u</TileMatrix><MinTileRow>0</MinTileRow>"
                          "<MaxTileRow>%u</MaxTileRow><MinTileCol>0</MinTileCol>"
                          "<MaxTileCol>%u</MaxTileCol></TileMatrixLimits>",
                          zoom, last, last);
    }
    eco_buffer_printf(out, "</TileMatrixSetLimits></TileMatrixSetLink>");
}

static void write_layer(const struct eco_world_config *world, enum eco_layer layer,
                        const char *root, struct eco_buffer *out)
{
    char version[ECO_VERSION_TEXT_MAX];
    const char *name = eco_layer_name(layer);

    eco_version_text(eco_service_world_version(world, world->seed), version);
    eco_buffer_printf(out, "<Layer><ows:Title>");
    eco_ows_text(world->title, strlen(world->title), out);
    eco_buffer_printf(
        out,
        ": %s</ows:Title><ows:WGS84BoundingBox>"
        "<ows:LowerCorner>-180 -85.0511287798066</ows:LowerCorner>"
        "<ows:UpperCorner>180 85.0511287798066</ows:UpperCorner>"
        "</ows:WGS84BoundingBox><ows:Identifier>%s.%s</ows:Identifier>"
        "<Style isDefault=\"true\"><ows:Identifier>default</ows:Identifier>"
        "<LegendURL format=\"image/png\" xlink:href=\"%s/legend/%s/%s.png\"/></Style>",
        eco_layer_title(layer), world->name, name, root, world->name, name);
    for (int format = 0; format < ECO_FORMAT_COUNT; format++) {
        if (eco_format_holds((enum eco_format)format, layer))
            eco_buffer_printf(out, "<Format>%s</Format>", eco_format_type((enum eco_format)format));
    }
    write_limits(world, out);
    for (int format = 0; format < ECO_FORMAT_COUNT; format++) {
        if (eco_format_holds((enum eco_format)format, layer))
            eco_buffer_printf(
                out,
                "<ResourceURL format=\"%s\" resourceType=\"tile\" template=\"%s/tiles/"
                "%s/%s/{TileMatrix}/{TileCol}/{TileRow}.%s?v=%s\"/>",
                eco_format_type((enum eco_format)format), root, world->name, name,
                eco_format_name((enum eco_format)format), version);
    }
    eco_buffer_printf(out, "</Layer>\n");
}

static void write_matrix_set(struct eco_buffer *out)
{
    eco_buffer_printf(out, "<TileMatrixSet><ows:Identifier>" MATRIX_SET "</ows:Identifier>"
                           "<ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>"
                           "<WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:" MATRIX_SET
                           "</WellKnownScaleSet>\n");
    for (unsigned zoom = 0; zoom <= ECO_ZOOM_MAX; zoom++)
        eco_buffer_printf(out,
                          "<TileMatrix><ows:Identifier>%u</ows:Identifier>"
                          "<ScaleDenominator>%.16g</ScaleDenominator>"
                          "<TopLeftCorner>-" MERCATOR_HALF " " MERCATOR_HALF "</TopLeftCorner>"
                          "<TileWidth>%d</TileWidth><TileHeight>%d</TileHeight>"
                          "<MatrixWidth>%u</MatrixWidth><MatrixHeight>%u</MatrixHeight>"
                          "</TileMatrix>\n",
                          zoom, SCALE_DENOMINATOR / (double)(1u << zoom), ECO_TILE_SIZE,
                          ECO_TILE_SIZE, 1u << zoom, 1u << zoom);
    eco_buffer_printf(out, "</TileMatrixSet>\n");
}

void eco_wmts_write(const struct eco_config *config, const char *root, struct eco_buffer *out)
{
    eco_buffer_printf(
        out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<Capabilities xmlns=\"http://www.opengis.net/wmts/1.0\""
             " xmlns:ows=\"http://www.opengis.net/ows/1.1\""
             " xmlns:xlink=\"http://www.w3.org/1999/xlink\""
             " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
             " xsi:schemaLocation=\"http://www.opengis.net/wmts/1.0"
             " http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd\""
             " version=\"1.0.0\">\n"
             "<ows:ServiceIdentification><ows:Title>Ecotone</ows:Title>"
             "<ows:ServiceType>OGC WMTS</ows:ServiceType>"
             "<ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion></ows:ServiceIdentification>\n"
             "<ows:OperationsMetadata>\n");
    write_operation("GetCapabilities", root, out);
    write_operation("GetTile", root, out);
    eco_buffer_printf(out, "</ows:OperationsMetadata>\n<Contents>\n");
    for (unsigned i = 0; i < config->worlds_count; i++) {
        for (int layer = 0; layer < ECO_LAYER_COUNT; layer++) {
            if (eco_layer_available((enum eco_layer)layer, &config->worlds[i]))
                write_layer(&config->worlds[i], (enum eco_layer)layer, root, out);
        }
    }
    write_matrix_set(out);
    eco_buffer_printf(out,
                      "</Contents>\n<ServiceMetadataURL xlink:href=\"%s/wmts/1.0.0/"
                      "WMTSCapabilities.xml\"/>\n</Capabilities>\n",
                      root);
}
