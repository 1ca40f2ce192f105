/** Stops the server that global-setup.mjs started. */
export default async function stopSharedPostgres() {
  await globalThis.postgresContainer?.stop();
  const child = globalThis.sharedPostgres;
  if (!child || child.exitCode !== null) return;
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.disconnect();
  });
}
