/** `login.acme.example` as `example.acme.login.`: names below another one are a range in the order of these keys. */
export function reversedName(name: string): string {
  return `${name.split('.').toReversed().join('.')}.`;
}

/** The first key after all names at or below `name`: `/` follows the dot. */
export function endOfNamesBelow(name: string): string {
  return `${reversedName(name).slice(0, -1)}/`;
}

/** The names above it, the nearest first. */
export function namesAbove(name: string): readonly string[] {
  const above: string[] = [];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
    above.push(name.slice(dot + 1));
  return above;
}
