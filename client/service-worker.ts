self.addEventListener('install', () => undefined);
