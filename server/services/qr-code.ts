/** A text as a QR code, for a camera in front of a screen. The encoder is loaded when somebody pairs a phone. */
export async function qrSvg(text: string): Promise<string> {
  const { default: QRCode } = await import('qrcode');
  return QRCode.toString(text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
}
