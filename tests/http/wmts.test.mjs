// WMTS 1.0.0, by REST and by key-value pairs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Daemon, WORLDS, tile } from './client.mjs';

const has = (command, ...options) => spawnSync(command, options).status === 0;

describe('wmts', () => {
  let daemon, xml;
  before(async () => {
    daemon = await Daemon.start({ worlds: WORLDS.replace('A small world', '"A <small> & \\"odd\\" world"') });
    xml = (await daemon.get('/wmts/1.0.0/WMTSCapabilities.xml')).text;
  });
  after(() => daemon.stop());

  it('the capabilities are well-formed, whatever a title holds', async (context) => {
    assert.match(xml, /<ows:Title>A &lt;small&gt; &amp; "odd" world: /);
    if (!has('xmllint', '--version')) {
      context.skip('no xmllint');
      return;
    }
    const checked = spawnSync('xmllint', ['--noout', '-'], { input: xml, encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stderr);
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
      'request=gettile&layer=small.relief&format=image%2Fpng&tilematrix=12&tilerow=2040&tilecol=2050']) {
      const reply = await daemon.get(`/wmts?${query}`);
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(reply.body, expected);
    }
  });

  it('what is missing, doubled, unknown or outside is refused', async () => {
    const good = 'REQUEST=GetTile&LAYER=small.relief&TILEMATRIX=12&TILEROW=2040&TILECOL=2050';
    for (const [query, status] of [['', 400], ['REQUEST=GetMap', 400], [good.replace('&TILEROW=2040', ''), 400], [`${good}&TILEROW=1`, 400],
      [good.replace('small.relief', 'small'), 400], [good.replace('small.relief', 'small.magic'), 404], [good.replace('small.relief', '..'), 404],
      [`${good}&FORMAT=image/jpeg`, 400], [`${good}&STYLE=x`, 400], [`${good}&TILEMATRIXSET=x`, 400], [`${good}&VERSION=2.0.0`, 400], [`${good}&SERVICE=WMS`, 400],
      [good.replace('=2040', '=4096'), 404], [good.replace('=2040', '=-1'), 400], [good.replace('=2040', '=01'), 400], [good.replace('MATRIX=12', 'MATRIX=31'), 404],
      [good.replace('MATRIX=12', 'MATRIX=99999999999999999999'), 404]]) {
      assert.equal((await daemon.get(`/wmts?${query}`)).status, status, query);
    }
    for (const path of ['/wmts/', '/wmts/1.0.0', '/wmts/1.0.0/x', '/wmts/2.0.0/WMTSCapabilities.xml']) {
      assert.ok([400, 404].includes((await daemon.get(path)).status), path);
    }
  });

  it('gdal opens it and reads the right block', async (context) => {
    if (!has('gdal_translate', '--version')) {
      context.skip('no gdal');
      return;
    }
    const size = 2 * 20037508.3427892 / 2 ** 26, x = 640.5 * size, y = 383.5 * size;
    const read = spawnSync('gdallocationinfo', ['-valonly', '-geoloc', `WMTS:http://127.0.0.1:${daemon.port}/wmts/1.0.0/WMTSCapabilities.xml,layer=small.terrarium`,
      `${x}`, `${y}`], { encoding: 'utf8', timeout: 60000, env: { ...process.env, GDAL_DEFAULT_WMS_CACHE_PATH: join(daemon.folder, 'gdal') } });
    assert.equal(read.status, 0, read.stderr);
    const [r, g, b] = read.stdout.trim().split('\n').map(Number);
    const { height } = (await daemon.get('/api/worlds/small/point?x=640&z=-384')).json;
    assert.ok(Math.abs(r * 256 + g + b / 256 - 32768 - height) <= 1 / 256 + 1e-4, `${read.stdout} for ${height}`);
  });
});
