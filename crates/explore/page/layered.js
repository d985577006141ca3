// Drawings of directed graphs in layers, after Sugiyama, Tagawa and Toda (1981): layers by distance from the start,
// places for edges that cross layers, orders by the mean of the neighbours, then positions.

const SWEEPS = 8;
/** Above this many places for edges, edges go straight through. */
const MOST_PLACES = 6000;

/**
 * `nodes`: `{width, height}` by number; `edges`: `[from, to]`; `roots`: where layers begin.
 * Answers `{nodes: [{x, y}], edges: [[[x, y], …]], width, height}`; x and y are middles.
 */
export function layered(nodes, edges, roots, { gapX = 24, gapY = 48 } = {}) {
  const layer = distances(nodes.length, edges, roots);
  const graph = withPlaces(nodes, edges, layer);
  const rows = order(graph);
  const x = positions(graph, rows, gapX);
  const y = heights(graph, rows, gapY);
  const at = (item) => [x[item], y[graph.layer[item]]];
  const drawn = nodes.map((_, node) => ({ x: x[node], y: y[graph.layer[node]] }));
  const ways = edges.map((_, edge) => graph.ways[edge].map(at));
  const right = graph.items.map((item, at) => x[at] + item.width / 2);
  const last = rows.length - 1;
  const tallest = last < 0 ? 0 : Math.max(...rows[last].map((item) => graph.items[item].height));
  return {
    nodes: drawn,
    edges: ways,
    width: right.reduce((a, b) => Math.max(a, b), 0),
    height: last < 0 ? 0 : y[last] + tallest / 2,
  };
}

/** Breadth first from the roots; what they do not reach begins layers of its own. */
function distances(count, edges, roots) {
  const next = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) next[from].push(to);
  const layer = new Array(count).fill(-1);
  const search = (starts) => {
    let front = starts.filter((node) => layer[node] < 0);
    for (const node of front) layer[node] = 0;
    for (let depth = 1; front.length; depth++) {
      const found = [];
      for (const node of front)
        for (const to of next[node])
          if (layer[to] < 0) {
            layer[to] = depth;
            found.push(to);
          }
      front = found;
    }
  };
  search(roots);
  for (let node = 0; node < count; node++) if (layer[node] < 0) search([node]);
  return layer;
}

/** Adds an item for each layer that an edge passes. */
function withPlaces(nodes, edges, layer) {
  const items = nodes.map((node) => ({ ...node }));
  const layers = [...layer];
  const ways = [];
  const links = [];
  let spent = 0;
  for (const [from, to] of edges) {
    const way = [from];
    const step = Math.sign(layer[to] - layer[from]);
    const between = Math.max(0, Math.abs(layer[to] - layer[from]) - 1);
    if (step !== 0 && spent + between <= MOST_PLACES) {
      spent += between;
      for (let at = layer[from] + step; at !== layer[to]; at += step) {
        way.push(items.length);
        items.push({ width: 6, height: 0, isPlace: true });
        layers.push(at);
      }
    }
    way.push(to);
    ways.push(way);
    for (let at = 1; at < way.length; at++) links.push([way[at - 1], way[at]]);
  }
  const up = items.map(() => []);
  const down = items.map(() => []);
  for (const [from, to] of links) {
    const [a, b] = layers[from] < layers[to] ? [from, to] : [to, from];
    if (layers[a] === layers[b]) continue;
    down[a].push(b);
    up[b].push(a);
  }
  return { items, layer: layers, ways, up, down };
}

function order({ items, layer, up, down }) {
  const rows = [];
  items.forEach((_, item) => (rows[layer[item]] ??= []).push(item));
  for (let at = 0; at < rows.length; at++) rows[at] ??= [];
  const place = new Array(items.length).fill(0);
  const note = (row) => row.forEach((item, at) => (place[item] = at));
  rows.forEach(note);
  const arrange = (row, neighbours) => {
    const mean = new Map(row.map((item) => [item, center(neighbours[item], place, place[item])]));
    row.sort((a, b) => mean.get(a) - mean.get(b) || place[a] - place[b]);
    note(row);
  };
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (sweep % 2 === 0) rows.slice(1).forEach((row) => arrange(row, up));
    else rows.slice(0, -1).reverse().forEach((row) => arrange(row, down));
  }
  return rows;
}

function center(neighbours, value, otherwise) {
  if (neighbours.length === 0) return otherwise;
  return neighbours.reduce((sum, item) => sum + value[item], 0) / neighbours.length;
}

/** Near the neighbours, in order, with room between. */
function positions({ items, up, down }, rows, gap) {
  const x = new Array(items.length).fill(0);
  const room = (a, b) => (items[a].width + items[b].width) / 2 + (items[a].isPlace && items[b].isPlace ? gap / 3 : gap);
  for (const row of rows) row.forEach((item, at) => (x[item] = at === 0 ? 0 : x[row[at - 1]] + room(row[at - 1], item)));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const neighbours = sweep % 2 === 0 ? up : down;
    for (const row of sweep % 2 === 0 ? rows : [...rows].reverse()) place(row, neighbours);
  }
  const left = items.reduce((least, item, at) => Math.min(least, x[at] - item.width / 2), Infinity);
  return x.map((value) => value - (items.length ? left : 0));

  // As far left and as far right as the wishes of the neighbours in the row allow; the mean of both keeps all gaps.
  function place(row, neighbours) {
    const wish = row.map((item) => center(neighbours[item], x, x[item]));
    const fromLeft = [...wish];
    for (let at = 1; at < row.length; at++)
      fromLeft[at] = Math.max(wish[at], fromLeft[at - 1] + room(row[at - 1], row[at]));
    const fromRight = [...wish];
    for (let at = row.length - 2; at >= 0; at--)
      fromRight[at] = Math.min(wish[at], fromRight[at + 1] - room(row[at], row[at + 1]));
    row.forEach((item, at) => (x[item] = (fromLeft[at] + fromRight[at]) / 2));
  }
}

/** The middle of each layer. */
function heights({ items }, rows, gap) {
  let top = 0;
  return rows.map((row) => {
    const tallest = row.reduce((most, item) => Math.max(most, items[item].height), 0);
    const middle = top + tallest / 2;
    top += tallest + gap;
    return middle;
  });
}
