/** Ends the server of global-setup.mjs. */
export default async function stopSharedPostgres() {
  const child = globalThis.sharedPostgres;
  if (!child || child.exitCode !== null) return;
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.disconnect();
  });
}
