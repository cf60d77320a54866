import newQrCode from 'qrcode-generator';

/** Modules of white around it, without which cameras do not find it. */
const quiet = 4;

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/** Drawn as one path: the content security policy allows neither data addresses nor inline styles. Dark on white in every theme. */
export function QrCode({ text, label }: QrCodeProps) {
  const code = newQrCode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const at = Array.from({ length: count }, (_, index) => index);
  const rows = at.map((row) =>
    at
      .filter((column) => code.isDark(row, column))
      .map((column) => `M${column + quiet} ${row + quiet}h1v1h-1z`)
      .join(''),
  );
  const size = count + 2 * quiet;
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={rows.join('')} fill="#000" />
    </svg>
  );
}
