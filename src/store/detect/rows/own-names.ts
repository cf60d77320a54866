/** Subdomains of an own domain are own domains too. */

/** The name, and the names above it. */
export function withParents(name: string): readonly string[] {
  const names = [name];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
    names.push(name.slice(dot + 1));
  return names;
}
