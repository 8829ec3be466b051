// Which seeds a world may be asked for with.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { Daemon, tile } from './client.mjs';

const world = (name, seeds) => `
  - name: ${name}
    generator: patchwork
    seed: 5
    ${seeds}
    biomes: [{id: 4, name: Forest, colour: "#406030"}]`;
const many = Array.from({ length: 256 }, (_, i) => `"${i} ${'й'.repeat(60)}"`).join(', ');
const WORLDS = `
worlds:${world('open', '')}${world('fixed', 'seeds: fixed')}${world('list', 'seeds: [5, 1, hello world]')}
${world('many', `seeds: [${many}]`)}
`;

/** All that takes a seed. */
const asked = (name, seed) => [
  `${tile(name, 'biome', 18, 131072, 131072)}?seed=${seed}`,
  `/tms/${name}/biome/18/131072/131072.png?seed=${seed}`,
  `/static/${name}/biome/0,0,18/64x64.png?seed=${seed}`,
  `/tiles/${name}/biome.json?seed=${seed}`,
  `/api/worlds/${name}/point?x=0&z=0&seed=${seed}`,
  `/api/worlds/${name}/area?x0=0&z0=0&x1=64&z1=64&seed=${seed}`,
  `/api/worlds/${name}/locate?biome=4&x=0&z=0&within=16&seed=${seed}`,
  `/api/worlds/${name}/score?x0=0&z0=0&x1=64&z1=64&seed=${seed}`,
];

describe('seeds', () => {
  let daemon;
  before(async () => { daemon = await Daemon.start({ worlds: WORLDS }); });
  after(() => daemon.stop());

  it('a seed that is not allowed is refused everywhere, and what is allowed is said', async () => {
    for (const path of [...asked('fixed', 6), ...asked('list', 'hello')]) {
      const reply = await daemon.get(path);
      assert.equal(reply.status, 403, path);
      assert.equal(reply.headers['cache-control'], 'no-store', path);
      assert.match(reply.json.error.message, path.includes('fixed')
        ? /^the world fixed has the seed 5 and no other$/ : /^the world list has the seed 5, 1 or hello world and no other$/);
    }
    const { status, json } = await daemon.get(asked('many', 6)[0]);
    assert.equal(status, 403);
    assert.match(json.error.message, /^the world many has the seed 5, 0 й+, .* and others; \/api\/worlds lists all$/);
  });

  it('a seed that is allowed is answered', async () => {
    for (const path of [...asked('open', 6), ...asked('fixed', 5), ...asked('list', 1), ...asked('list', 'hello+world')]) {
      assert.equal((await daemon.get(path)).status, 200, path);
    }
    assert.equal((await daemon.get(tile('fixed', 'biome', 18, 131072, 131072))).status, 200);
  });

  it('the worlds say which seeds they have', async () => {
    const { worlds } = (await daemon.get('/api/worlds')).json;
    const [open, fixed, list, long] = worlds.map(({ seeds }) => seeds);
    assert.deepEqual([open, fixed, list], ['any', 'fixed', ['5', '1', 'hello world']]);
    assert.equal(long.length, 257);
  });

  it('refusals are counted as what they are', async () => {
    assert.match((await daemon.get('/metrics')).text, /ecotone_http_requests_total\{route="tile",status="403"\} [1-9]/);
  });
});
