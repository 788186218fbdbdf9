import QRCode from 'qrcode';

/** A text as a QR code, for a camera in front of a screen. */
export function qrSvg(text: string): Promise<string> {
  return QRCode.toString(text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
}
