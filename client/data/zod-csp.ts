import * as z from 'zod/mini';

// Zod's compiled parsers need `new Function`, which the content security policy forbids. Import this module before any
// schema is used.
z.config({ jitless: true });
