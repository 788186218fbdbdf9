import { runCli } from './run-cli.ts';

const { exitCode, out, error } = await runCli({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
});
process.stdout.write(out);
process.stderr.write(error);
process.exitCode = exitCode;
