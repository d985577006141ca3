// Colours for Promela and DVE: comments, strings, numbers and keywords, nothing more.

const TOKEN = /(\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|^[ \t]*#[^\n]*)|("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)')|(\b\d+\b)|([A-Za-z_]\w*)/gm;

const KEYWORDS = new Set(`active assert atomic bit bool break byte chan d_step do else empty enabled fi for full goto hidden if in init inline int
len ltl mtype never nempty nfull notrace od of pc_value pid printf priority proctype progress provided return run select short show skip
timeout trace true false typedef unless unsigned xr xs
accept async channel commit const effect guard process property state sync system trans`.split(/\s+/));

/** By line: `{from, to, text, name}`, where `name` is a class or nothing. */
export function highlight(text) {
  const lines = [[]];
  const column = () => lines.at(-1).at(-1)?.to ?? 0;
  const add = (piece, name) =>
    piece.split('\n').forEach((part, at) => {
      if (at > 0) lines.push([]);
      if (part) lines.at(-1).push({ from: column(), to: column() + part.length, text: part, name });
    });
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    add(text.slice(end, match.index), '');
    const [piece, comment, string, number] = match;
    add(piece, comment ? 'comment' : string ? 'string' : number ? 'number' : KEYWORDS.has(piece) ? 'keyword' : '');
    end = match.index + piece.length;
  }
  add(text.slice(end), '');
  return lines;
}
