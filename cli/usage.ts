/** What `offcut` prints about itself. */
export const USAGE = `Usage: offcut <command>

  import <folder> --creator <handle> [--pack <name>] [--publish]
      Makes a pack of the wav, mp3 and m4a files in a folder. Title, tempo and key come from pack.json,
      from names such as Felt_Keys_90bpm_Cmin.wav, or from tags. Running it again adds nothing twice.
  import-bucket <folder or s3://bucket> [--endpoint <url>] [--region <name>] [--creator <folder>=<handle>]...
                [--report <file>]
      Imports every pack at Users/*/Packs/* with covers and samples. Running it again adds nothing twice.
      Creators not named by --creator get accounts that nobody can sign in to before they are handed over.
      A bucket is read with IMPORT_S3_ACCESS_KEY_ID and IMPORT_S3_SECRET_ACCESS_KEY.
  export-pack <slug> --creator <handle> --to <folder>
      Writes a pack as a folder with pack.json, covers, samples, stems and MIDI, which import takes again.
  hand-over <handle> --email <address>
      Gives the account of an imported creator their address; "Forgot password?" lets them in.
  staff grant <address> <role>
  staff revoke <address> <role>
  staff list
      Says who is admin or finance; the first administrator is made here. Whoever it is has an account already.
  events <stream> [--json]
      Prints a stream of the event log, such as pack-{id}.
  finance verify
      Checks the 22 invariants of the books, the chain of the log and the files on sale.
  finance trial-balance [--as-of <time>] [--format table|csv|json]
  finance account <account> [--from <time>] [--to <time>]
      Lists an account such as stripe:balance or user:{id}, line by line, with the event behind each.
  finance rollforward [--user <id>] [--from <time>] [--to <time>] [--format ...]
  finance creator <id>
      What a creator earned and is owed, and each payout with the lines that sum to it.
  finance proof <user id>
      Why a user's balance is what it is, event by event.
  finance export [--format hledger|csv|json] [--from <time>] [--to <time>]
  finance months [--format ...]
      Cash, unspent credits and what creators are owed, at the end of each month.
  finance credit-months [--user <id>] [--format ...]
      The credits of each month: what it opened with, what moved, what it closed with.
  finance open-items [--format ...]
      What is in transit, held or unexplained, and since when.
  finance periods [--format ...]
      The months that are closed.
  finance late-facts [--format ...]
      Cash of a closed month that was heard of afterwards.
  finance close <month>
      Closes a month such as 2026-10 that is over; closing it again prints what was kept.
  finance tie-out <report.csv>
      Holds the books against Stripe's report of balance transactions; what only one side has is listed.
      Times are days such as 2026-11-20 or instants such as 2026-11-20T16:00:00Z.
  projections
      Where each read model and reaction stands in the log, and which events it has set aside.
  projections retry <name> [<stream>]
      Has what it set aside tried again now, by the workers.
  stripe simulator [--port <number>] [--data-dir <folder>] [--webhook-url <address>]
      Runs the payment simulator by itself, for an API and workers in processes of their own, and prints the
      settings they need. Port 4242, the folder stripe-simulator below DATA_DIR and Offcut on PORT unless named.
  doctor
      Checks the database, the storage, the chain of the log and the read models.
  version
      Says which Offcut this is; so does --version.

Settings come from the environment, as for the server; DATA_DIR names the data folder.`;
