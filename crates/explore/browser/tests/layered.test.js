// The layout of graphs, without a browser: on random graphs nothing covers anything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layered } from '../../page/layered.js';

/** Numbers that are the same in each run. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('nodes of a layer have room between them, and edges begin and end at their nodes', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const pick = random(seed);
    const count = 1 + pick(40);
    const nodes = Array.from({ length: count }, () => ({ width: 10 + pick(90), height: 20 }));
    const edges = Array.from({ length: pick(80) }, () => [pick(count), pick(count)]);
    const drawn = layered(nodes, edges, [0], { gapX: 16, gapY: 30 });
    const boxes = drawn.nodes.map(({ x, y }, at) => ({ left: x - nodes[at].width / 2, right: x + nodes[at].width / 2, y }));
    for (const [at, box] of boxes.entries()) {
      assert.ok(box.left >= -0.01 && box.right <= drawn.width + 0.01, `seed ${seed}: node ${at} is outside`);
      for (const other of boxes.slice(0, at))
        assert.ok(box.y !== other.y || box.left >= other.right + 15.9 || other.left >= box.right + 15.9, `seed ${seed}: nodes touch`);
    }
    edges.forEach(([from, to], at) => {
      const way = drawn.edges[at];
      assert.deepEqual(way[0], [drawn.nodes[from].x, drawn.nodes[from].y], `seed ${seed}`);
      assert.deepEqual(way.at(-1), [drawn.nodes[to].x, drawn.nodes[to].y], `seed ${seed}`);
    });
  }
});

test('layers are distances from the start', () => {
  const nodes = Array.from({ length: 4 }, () => ({ width: 10, height: 10 }));
  const { nodes: at } = layered(nodes, [[0, 1], [1, 2], [0, 3], [2, 0]], [0]);
  assert.ok(at[0].y < at[1].y && at[1].y === at[3].y && at[1].y < at[2].y);
});

test('thousands of states are drawn', () => {
  const pick = random(7);
  const count = 3000;
  const nodes = Array.from({ length: count }, () => ({ width: 18, height: 18 }));
  const edges = Array.from({ length: 8000 }, (_, at) => (at < count - 1 ? [pick(at + 1), at + 1] : [pick(count), pick(count)]));
  const drawn = layered(nodes, edges, [0]);
  assert.equal(drawn.nodes.length, count);
  assert.ok(Number.isFinite(drawn.width) && Number.isFinite(drawn.height));
});
