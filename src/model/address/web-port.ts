/**
 * Ports that people who administer an account may have the server connect to: those of HTTP and those that no service of a system has. A port
 * below 1024 may belong to another service, such as mail: only the operator can choose one.
 */
const lowestFreePort = 1024;
const webPorts = [80, 443];

export function isWebPort(url: URL): boolean {
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443));
  return port >= lowestFreePort || webPorts.includes(port);
}
