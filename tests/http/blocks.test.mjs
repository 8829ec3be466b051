// Eroded blocks: shared by layers, and kept over a restart.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';

import { Daemon, tile } from './client.mjs';

const world = (lines) => `
worlds:
  - name: hills
    generator: relief
    seed: 7
    ${lines}
    relief: {erosion: [{kind: inverted, iterations: 5}]}
`;
const at = (layer) => tile('hills', layer, 16, 32768, 32768);

async function blocks(daemon) {
  const text = (await daemon.get('/metrics')).text;
  return Object.fromEntries(['erosion', 'memory', 'file'].map((from) => [from,
    Number(new RegExp(`^ecotone_blocks_total\\{from="${from}"\\} (\\d+)$`, 'm').exec(text)[1])]));
}

describe('eroded blocks', () => {
  let first;
  const others = [];
  after(() => Promise.all(others.map((daemon) => daemon.stop())));

  it('a layer finds what another one eroded', async () => {
    first = await Daemon.start({ worlds: world('') });
    assert.equal((await first.get(at('height'))).status, 200);
    const { erosion, memory } = await blocks(first);
    assert.ok(erosion >= 1 && erosion <= 4, `${erosion} blocks`);
    assert.equal((await first.get(at('slope'))).status, 200);
    assert.equal((await blocks(first)).erosion, erosion);
    assert.ok((await blocks(first)).memory > memory);
    first.signal('SIGTERM');
    assert.equal((await first.exited).code, 0);
  });

  it('a daemon that starts anew erodes nothing twice, for another layer and other colours', async () => {
    const again = await Daemon.start({ folder: first.folder, worlds: world('sea_level: 70') });
    others.push(again);
    const tiles = [await again.get(at('build')), await again.get(at('relief'))];
    const { erosion, file } = await blocks(again);
    assert.equal(erosion, 0);
    assert.ok(file >= 1, `${file} blocks from the file`);
    // The bytes are those of a daemon that erodes for itself.
    const alone = await Daemon.start({ worlds: world('sea_level: 70') });
    others.push(alone);
    assert.ok(tiles[0].body.equals((await alone.get(at('build'))).body));
    assert.ok(tiles[1].body.equals((await alone.get(at('relief'))).body));
    assert.ok((await blocks(alone)).erosion >= 1);
  });
});
