/** A process that sends every datagram back as it came: the least that a DNS server could do. */
import { createSocket } from 'node:dgram';

const socket = createSocket('udp4');
socket.on('message', (bytes, { port, address }) => socket.send(bytes, port, address));
socket.bind(0, '127.0.0.1', () => console.log(socket.address().port));
