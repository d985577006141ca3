// What the page asks the server. An answer that is an error becomes an `ApiError` with the server's sentence.

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

/** `--listen` prints an address with a token; it stays in this tab. */
const token = (() => {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    sessionStorage.setItem('token', given);
    const rest = new URLSearchParams(location.hash.slice(1));
    rest.delete('token');
    history.replaceState(null, '', `#${rest}`);
  }
  return given ?? sessionStorage.getItem('token');
})();

async function ask(method, path, body, signal) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(`/api/${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'no-answer', 'The server does not answer. Is `lariat explore` still running?');
  }
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new ApiError(response.status, error?.code ?? 'unknown', error?.message ?? `the server answers ${response.status}`);
}

/** `a=1&b=2` of what is given. */
function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(given).toString();
}

const get = async (path, signal) => (await ask('GET', path, undefined, signal)).json();
const post = async (path, body, signal) => (await ask('POST', path, body, signal)).json();
const remove = async (path) => (await ask('DELETE', path)).json();

export const api = {
  model: () => get('model'),
  runs: () => get('runs'),
  run: (id) => get(`runs/${id}`),
  newRun: (how = {}) => post('runs', how),
  step: (id, at, choice) => post(`runs/${id}/step`, { at, choice }),
  walk: (id, at, steps, seed) => post(`runs/${id}/walk`, { at, steps, seed }),
  closeLoop: (id, start) => post(`runs/${id}/loop`, { start }),
  removeRun: (id) => remove(`runs/${id}`),
  steps: (id, from, to, property) => get(`runs/${id}/steps?${query({ from, to, property })}`),
  state: (id, at, property, signal) => get(`runs/${id}/states/${at}?${query({ property })}`, signal),
  overview: (id, buckets, property) => get(`runs/${id}/overview?${query({ buckets, property })}`),
  chart: async (id, from, to, property, signal) =>
    (await ask('GET', `runs/${id}/chart.svg?${query({ from, to, property })}`, undefined, signal)).text(),
  code: (id) => get(`runs/${id}/code`),
  saved: (id) => get(`runs/${id}/save`),
  formula: (kind, text, signal) => post('formula', { kind, text }, signal),
  property: (id) => get(`properties/${id}`),
  newProperty: (what) => post('properties', what),
  check: (what) => post('checks', what),
  progress: (id) => get(`checks/${id}`),
  cancel: (id) => remove(`checks/${id}`),
  graph: (what, signal) => get(`graph?${query(what)}`, signal),
};
