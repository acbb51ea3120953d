export const helpText = `hashrange: a database that speaks the API of DynamoDB

  hashrange start [flags]     serve over HTTP until stopped
  hashrange copy [flags]      copy tables between databases, AWS included
  hashrange schema --print    write the SQL that sets a PostgreSQL up
  hashrange export [flags]    write a table's items into files
  hashrange import [flags]    put the items of files into a table
  hashrange backup [flags]    keep a table as it is now
  hashrange backups [flags]   list the backups there are
  hashrange restore [flags]   make a table of a backup, or of another table's past
  hashrange snapshot [flags]  copy everything that a server or a data folder holds, while it is in use
  hashrange verify [flags]    prove that a data folder, a server or a PostgreSQL holds what it should, and repair it
  hashrange compact [flags]   give the room back to the disk that a data folder does not need any more
  hashrange init [TEMPLATE]   begin a model: shop, music, leaderboard or saas
  hashrange check FILE        run a model's access patterns on generated data, and review its design
  hashrange cost FILE         what a model costs a month on AWS, and what a change to it makes
  hashrange cost --recorded   what the traffic of the last hour would cost a month, by way of paying
  hashrange top [flags]       watch a server's tables, partitions and hottest keys at work
  hashrange generate FILE     make infrastructure, documentation and data of a model, and models of others'
  hashrange help              this text; hashrange COMMAND --help is about one command
  hashrange --version         the version

Flags of start, and the environment variables that stand in for them:

  --port 8000                 HASHRANGE_PORT     port to listen on; 0 takes one that is free
  --host 127.0.0.1            HASHRANGE_HOST     address to listen on; 0.0.0.0 is every one of this machine
  --path .hashrange           HASHRANGE_PATH     folder that holds the data
  --archive PLACE             HASHRANGE_ARCHIVE  keep an archive of everything that is written, a few seconds behind, in a folder
                                                 or in s3://bucket/prefix
  --from PLACE [--at TIME]                       fill a new data folder from an archive, as it was last or at that time
  --accept-loss                                  open a data folder whose redo log is damaged, without the writes that
                                                 cannot be read any more
  --memory                    HASHRANGE_MEMORY   keep nothing: the data is gone when the server stops
  --store URL                 HASHRANGE_STORE    keep the data in a PostgreSQL (postgres://user:password@host/database), which
                                                 any number of servers may share
  --store-distribution auto   HASHRANGE_STORE_DISTRIBUTION
                                                 citus: spread the data over the nodes of Citus; none: do not; auto: if it is there
  --allowed-hosts NAME        HASHRANGE_ALLOWED_HOSTS
                                                 a name under which clients reach the server, such as db.example.com; .example.com allows
                                                 every name below it, * every name. Addresses, localhost, and names that the
                                                 public DNS does not have, such as a container's, need not be listed
  --cors ORIGIN               HASHRANGE_CORS     let web pages of this origin use the server, such as https://app.example.com;
                                                 * lets every page. Pages of this machine need not be listed
  --webhooks URL              HASHRANGE_WEBHOOKS
                                                 alarms may call receivers below this address, such as
                                                 https://hooks.example.com/alarms/; * is everywhere, none nowhere. By default
                                                 they may call this machine, unless other machines can reach the server
  --shared                    HASHRANGE_SHARED   the same tables for every access key (each region has its own)
  --buckets FOLDER            HASHRANGE_BUCKETS  where ExportTableToPointInTime and ImportTable have their buckets: a folder
                                                 with a folder for each, s3, or the address of a server like it
  --stream-retention HOURS    HASHRANGE_STREAM_RETENTION
                                                 how long streams show a change; 24 hours by default
  --ttl-sweep SECONDS         HASHRANGE_TTL_SWEEP
                                                 how often items are deleted whose time to live is over; 10 by default
  --max-clock-offset SECONDS  HASHRANGE_MAX_CLOCK_OFFSET
                                                 how far the clock of this machine may be off from the database's before
                                                 it refuses to start; 300 by default. The database's time is used
  --throttling measure        HASHRANGE_THROTTLING
                                                 measure: count and tell what the service would have throttled;
                                                 enforce: throttle it; off: neither
  --consistency current       HASHRANGE_CONSISTENCY
                                                 eventual: reads that are not strongly consistent, and all reads of global
                                                 indexes, lag behind writes, as they may on the service
  --consistency-lag MS        HASHRANGE_CONSISTENCY_LAG
                                                 within how many milliseconds they see a write; 1000 by default
  --consistency-seed N        HASHRANGE_CONSISTENCY_SEED
                                                 another number gives other delays
  --dialect 2026              HASHRANGE_DIALECT  2025: error messages as AWS worded them until summer 2026
  --model FILE|FOLDER         HASHRANGE_MODEL    a model for the workbench to show, or a folder that its page may load models from
                                                 and save them to; may be repeated
  --remote-models             HASHRANGE_REMOTE_MODELS
                                                 let pages on other machines load and save models too, which runs code here
  --workbench-read-only       HASHRANGE_WORKBENCH_READ_ONLY
                                                 the workbench changes nothing
  --no-workbench, --workbench HASHRANGE_WORKBENCH
                                                 whether the workbench is served, at /_workbench; by default it is, unless
                                                 other machines can reach it (--host)
                              HASHRANGE_WORKBENCH_TOKEN
                                                 the secret in the workbench's address, if it is to stay the same; by default
                                                 each start makes a new one

Without --shared, each access key has its own tables in each region, as accounts have on AWS. Any access key and
secret will do: signatures are not verified.`
