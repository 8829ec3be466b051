// WMTS 1.0.0, by REST and by key-value pairs.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Daemon, WORLDS, tile } from './client.mjs';

const has = (command, ...options) => spawnSync(command, options).status === 0;

/** Runs a program that asks the daemon, whose connections are this process's to watch. */
const run = async (command, args, env = process.env) => {
  const child = spawn(command, args, { env, timeout: 60000 });
  const output = [], errors = [];
  child.stdout.on('data', (part) => output.push(part));
  child.stderr.on('data', (part) => errors.push(part));
  const [code] = await once(child, 'close');
  return { code, output: Buffer.concat(output), errors: Buffer.concat(errors).toString() };
};

describe('wmts', () => {
  let daemon, xml;
  before(async () => {
    daemon = await Daemon.start({ worlds: WORLDS.replace('A small world', '"A <small> & \\"odd\\" world"') });
    xml = (await daemon.get('/wmts/1.0.0/WMTSCapabilities.xml')).text;
  });
  after(() => daemon.stop());

  const rules = fileURLToPath(new URL('wmts.rng', import.meta.url));
  const check = (text, context) => {
    if (!has('xmllint', '--version')) {
      context.skip('no xmllint');
      return;
    }
    const checked = spawnSync('xmllint', ['--noout', '--relaxng', rules, '-'], { input: text, encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stderr.slice(0, 2000));
  };

  it('the capabilities are what the standard allows, whatever a title holds', (context) => {
    assert.match(xml, /<ows:Title>A &lt;small&gt; &amp; &quot;odd&quot; world: /);
    check(xml, context);
    assert.throws(() => check(xml.replace('<Format>', '<Formats>').replace('</Format>', '</Formats>'), { skip() { throw new Error(); } }));
  });

  it('both ways give the same document, compressed only when asked', async () => {
    const reply = await daemon.get('/wmts?service=WMTS&Request=GetCapabilities&foo=bar', { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(reply.headers['content-type'], 'application/xml');
    assert.equal(reply.headers['content-encoding'], 'gzip');
    assert.equal(reply.headers.vary, 'Accept-Encoding');
    assert.equal((await daemon.get('/wmts?SERVICE=WMTS&REQUEST=GetCapabilities')).text, xml);
  });

  it('every layer of every world is there, with tiles where the template says', async () => {
    const { worlds } = (await daemon.get('/api/worlds')).json;
    const found = [...xml.matchAll(/<ows:Identifier>([^<.]+)\.([^<]+)<\/ows:Identifier>/g)].map(([, world, layer]) => `${world}.${layer}`);
    assert.deepEqual(found, worlds.flatMap(({ name, layers }) => layers.map((layer) => `${name}.${layer.name}`)));
    const [, template] = /template="([^"]+\/small\/blend\/[^"]+)"/.exec(xml);
    const url = new URL(template.replace('{TileMatrix}', '10').replace('{TileCol}', '512').replace('{TileRow}', '511'));
    assert.equal(url.port, `${daemon.port}`);
    const reply = await daemon.get(url.pathname + url.search);
    assert.deepEqual(reply.body, (await daemon.get(tile('small', 'blend', 10, 512, 511))).body);
    assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable');
  });

  it('the matrix set is the well-known one', () => {
    const scales = [...xml.matchAll(/<ScaleDenominator>([^<]+)</g)].map(([, text]) => Number(text));
    assert.equal(scales.length, 19);
    // OGC 07-057r7, annex E.4.
    for (const [zoom, scale] of [[0, 559082264.0287178], [1, 279541132.0143589], [10, 545978.7734655447], [18, 2132.729583849784]]) {
      assert.ok(Math.abs(scales[zoom] / scale - 1) < 1e-12, `${zoom}`);
    }
    assert.match(xml, /<WellKnownScaleSet>urn:ogc:def:wkss:OGC:1\.0:GoogleMapsCompatible<\/WellKnownScaleSet>/);
    assert.match(xml, /<MatrixWidth>262144<\/MatrixWidth>/);
  });

  it('GetTile gives the tile, keys in any case', async () => {
    const expected = (await daemon.get(tile('small', 'relief', 12, 2050, 2040))).body;
    for (const query of ['SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=small.relief&STYLE=default&FORMAT=image/png&TILEMATRIXSET=GoogleMapsCompatible&TILEMATRIX=12&TILEROW=2040&TILECOL=2050',
      'request=gettile&layer=small.relief&style=&format=image%2Fpng&tilematrix=12&tilerow=2040&tilecol=2050']) {
      const reply = await daemon.get(`/wmts?${query}`);
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(reply.body, expected);
    }
  });

  it('what is missing, doubled, unknown or outside is refused with a report that names it', async (context) => {
    const good = 'REQUEST=GetTile&LAYER=small.relief&TILEMATRIX=12&TILEROW=2040&TILECOL=2050';
    const [missing, invalid, outside, unsupported] = ['MissingParameterValue', 'InvalidParameterValue', 'TileOutOfRange', 'OperationNotSupported'];
    for (const [query, code, locator, status = 400] of [['', missing, 'REQUEST'], ['REQUEST=GetMap', unsupported, 'GetMap', 501], ['REQUEST=GetFeatureInfo', unsupported, 'GetFeatureInfo', 501],
      [good.replace('&TILEROW=2040', ''), missing, 'TILEROW'], [good.replace('LAYER=small.relief&', ''), missing, 'LAYER'],
      [`${good}&TILEROW=1`, invalid, 'TILEROW'], [good.replace('small.relief', 'small'), invalid, 'LAYER'], [good.replace('small.relief', 'small.magic'), invalid, 'LAYER'],
      [good.replace('small.relief', '..'), invalid, 'LAYER'], [good.replace('small.relief', 'a%3C%01&quot."'), invalid, 'LAYER'],
      [`${good}&FORMAT=image/jpeg`, invalid, 'FORMAT'], [`${good.replace('relief', 'height16')}&FORMAT=image/webp`, invalid, 'FORMAT'],
      [`${good}&STYLE=x`, invalid, 'STYLE'], [`${good}&TILEMATRIXSET=x`, invalid, 'TILEMATRIXSET'], [`${good}&VERSION=2.0.0`, invalid, 'VERSION'], [`${good}&SERVICE=WMS`, invalid, 'SERVICE'],
      [good.replace('=2040', '=4096'), outside, 'TILEROW'], [good.replace('=2050', '=4096'), outside, 'TILECOL'], [good.replace('=2040', '=-1'), invalid, 'TILEROW'],
      [good.replace('=2040', '=01'), invalid, 'TILEROW'], [good.replace('MATRIX=12', 'MATRIX=31'), invalid, 'TILEMATRIX'], [good.replace('MATRIX=12&TILEROW=2040&TILECOL=2050', 'MATRIX=3&TILEROW=1&TILECOL=1'), invalid, 'TILEMATRIX'],
      [good.replace('MATRIX=12', 'MATRIX=99999999999999999999'), invalid, 'TILEMATRIX'], ['REQUEST=GetCapabilities&AcceptVersions=2.0.0,3.0.0', 'VersionNegotiationFailed', 'ACCEPTVERSIONS']]) {
      const reply = await daemon.get(`/wmts?${query}`);
      assert.equal(reply.status, status, `${query}: ${reply.text}`);
      assert.equal(reply.headers['content-type'], 'application/xml', query);
      assert.equal(reply.headers['cache-control'], 'no-store');
      assert.equal(reply.headers['access-control-allow-origin'], '*');
      const [, found, where] = /exceptionCode="(\w+)" locator="(\w+)"/.exec(reply.text) ?? [];
      assert.deepEqual([found, where], [code, locator], query);
      check(reply.text, context);
    }
    assert.equal((await daemon.get('/wmts?REQUEST=GetCapabilities&AcceptVersions=2.0.0,1.0.0')).text, xml);
    for (const path of ['/wmts/', '/wmts/1.0.0', '/wmts/1.0.0/x', '/wmts/2.0.0/WMTSCapabilities.xml', '/wmts/%00', '/wmts?\x7f']) {
      const reply = await daemon.get(path);
      assert.ok([400, 404].includes(reply.status), path);
      assert.equal(reply.headers['content-type'], 'application/xml', path);
      check(reply.text, context);
    }
    // Other paths answer as before.
    assert.equal((await daemon.get('/wmtsx')).headers['content-type'], 'application/json');
    assert.equal((await daemon.get('/tiles/none/relief/12/0/0.png')).headers['content-type'], 'application/json');
  });

  it('owslib reads it', async (context) => {
    const script = `
import sys
from owslib.wmts import WebMapTileService
wmts = WebMapTileService(sys.argv[1])
layer = wmts['small.relief']
assert wmts.identification.type == 'OGC WMTS' and wmts.identification.version == '1.0.0'
assert [op.name for op in wmts.operations] == ['GetCapabilities', 'GetTile']
assert layer.formats == ['image/png', 'image/webp'] and wmts['small.height16'].formats == ['image/png']
assert layer.styles['default']['isDefault'] and layer.styles['default']['legend'].endswith('/legend/small/relief.png')
assert layer.tilematrixsetlinks['GoogleMapsCompatible'].tilematrixlimits['12'].maxtilerow == 4095
matrix = wmts.tilematrixsets['GoogleMapsCompatible'].tilematrix['12']
assert matrix.matrixwidth == 4096 and matrix.tilewidth == 256
tile = wmts.gettile(layer='small.relief', tilematrixset='GoogleMapsCompatible', tilematrix='12', row=2040, column=2050, format='image/png')
sys.stdout.buffer.write(tile.read())
`;
    if (!has('/usr/bin/python3', '-c', 'import owslib')) {
      context.skip('no owslib');
      return;
    }
    const read = await run('/usr/bin/python3', ['-c', script, `http://127.0.0.1:${daemon.port}/wmts`]);
    assert.equal(read.code, 0, read.errors);
    assert.deepEqual(read.output, (await daemon.get(tile('small', 'relief', 12, 2050, 2040))).body);
  });

  /** What GDAL reads at the block (650, -470), which lies off every diagonal of its tile. */
  const locate = async (source) => {
    const size = 2 * 20037508.3427892 / 2 ** 26, x = 650.5 * size, y = 469.5 * size;
    const read = await run('gdallocationinfo', ['-valonly', '-geoloc', source, `${x}`, `${y}`],
      { ...process.env, GDAL_DEFAULT_WMS_CACHE_PATH: join(daemon.folder, 'gdal') });
    assert.equal(read.code, 0, read.errors);
    return read.output.toString().trim().split('\n').map(Number);
  };
  const xyz = (layer, bands, type, ending = 'png') => {
    const path = join(daemon.folder, `${layer}.${ending}.xml`);
    writeFileSync(path, `<GDAL_WMS><Service name="TMS"><ServerUrl>http://127.0.0.1:${daemon.port}/tiles/small/${layer}/\${z}/\${x}/\${y}.${ending}</ServerUrl></Service>
      <DataWindow><UpperLeftX>-20037508.3427892</UpperLeftX><UpperLeftY>20037508.3427892</UpperLeftY><LowerRightX>20037508.3427892</LowerRightX>
        <LowerRightY>-20037508.3427892</LowerRightY><TileLevel>18</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>top</YOrigin></DataWindow>
      <Projection>EPSG:3857</Projection><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><BandsCount>${bands}</BandsCount><DataType>${type}</DataType></GDAL_WMS>`);
    return path;
  };

  it('gdal opens it, and the tiles by their template, and reads the right block', async (context) => {
    if (!has('gdallocationinfo', '--version')) {
      context.skip('no gdal');
      return;
    }
    const { height } = (await daemon.get('/api/worlds/small/point?x=650&z=-470')).json;
    const capabilities = `WMTS:http://127.0.0.1:${daemon.port}/wmts/1.0.0/WMTSCapabilities.xml`;
    for (const source of [`${capabilities},layer=small.terrarium`, xyz('terrarium', 3, 'Byte'), xyz('terrarium', 3, 'Byte', 'webp')]) {
      const [r, g, b] = await locate(source);
      assert.ok(Math.abs(r * 256 + g + b / 256 - 32768 - height) <= 1 / 256 + 1e-4, `${source}: ${r} ${g} ${b} for ${height}`);
    }
    const [value] = await locate(xyz('height16', 1, 'UInt16'));
    assert.ok(Math.abs(value * 150 / 65535 - 10 - height) <= 75 / 65535 + 0.0001, `${value} for ${height}`);
    const { biome } = (await daemon.get('/api/worlds/small/point?x=650&z=-470')).json;
    const [r, g, b] = await locate(`${capabilities},layer=small.biome`);
    assert.equal(`#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`, biome.colour);
  });
});
