export const helpText = `hashrange: a database with the DynamoDB API

  hashrange start [flags]     start the server; it runs until you stop it
  hashrange apply FILE…       create and update tables from CloudFormation, SAM, CDK, Serverless or Terraform files
  hashrange seed FILE…        put the items of JSON, CSV, NoSQL Workbench or model files into tables
  hashrange copy [flags]      copy tables between databases, including AWS
  hashrange schema --apply    set up or upgrade the tables in a PostgreSQL database, or print their SQL (--print)
  hashrange export [flags]    write a table's items to files
  hashrange import [flags]    load items from files into a table
  hashrange backup [flags]    back up a table as it is now
  hashrange backups [flags]   list backups
  hashrange restore [flags]   create a table from a backup, or from an earlier state of another table
  hashrange branch ACTION     make copies of all tables in milliseconds, to try something and throw it away; compare them
  hashrange snapshot ACTION   save all tables as they are now, and go back to that later: save, restore, list, diff, delete
  hashrange reset [NAME]      restore all tables to the last snapshot
  hashrange snapshot [flags]  copy everything in a server or a data folder, while it is in use
  hashrange verify [flags]    check all the data in a data folder, a server or a PostgreSQL database, and repair it
  hashrange compact [flags]   return unused disk space, also while a server is running
  hashrange region [ACTION]   isolate, slow or stop a region of a server, and bring it back; show replication
  hashrange conflicts         list writes to global tables that were lost to writes in other regions
  hashrange init [TEMPLATE]   create a model from a template: shop, saas, chat and more
  hashrange infer [flags]     draft a model from an existing table, whatever wrote its items
  hashrange check FILE        run a model's access patterns on generated data, and review its design
  hashrange cost FILE         estimate what a model costs per month on AWS, and what a change to it would cost
  hashrange migrate MODEL     migrate a table's items from one version of a model to the next, while the table is in use
  hashrange plan OLD NEW      plan the change from one version of a model to the next, while the table is in use
  hashrange derive FILE       rebuild a model's derived items from its table (--rebuild), or compare them (--verify)
  hashrange cost --recorded   estimate what the last hour's traffic would cost per month, in each capacity mode
  hashrange coverage FILE     compare the calls that a server has recorded with the patterns of a model
  hashrange top [flags]       watch a server's tables, partitions and hottest keys
  hashrange workbench [flags] open the workbench for AWS, DynamoDB Local or another server, without a database of its own
  hashrange token [flags]     print a token for the metrics, reports and workbench of a closed server
  hashrange generate FILE     generate infrastructure, docs and sample data from a model, or import one
  hashrange doctor            look for what is wrong with this setup: credentials, region, clock, port, folder
  hashrange completion SHELL  print a completion script for bash, zsh or fish
  hashrange help              show this text; hashrange COMMAND --help explains one command
  hashrange --version         show the version

Flags of start, each with the environment variable that sets the same thing:

  --port 8000                 HASHRANGE_PORT     port to listen on; 0 picks a free one
  --host 127.0.0.1            HASHRANGE_HOST     address to listen on; 0.0.0.0 means all addresses of this machine, and needs
                                                 --auth or --insecure
  --insecure                  HASHRANGE_INSECURE
                                                 let other machines reach a server without --auth: everyone can then read and
                                                 write the data
  --auth                      HASHRANGE_AUTH     close the server: verify every signature, and enforce IAM policies. The first
                                                 start prints the access key of an administrator, unless it is given with
                                                 HASHRANGE_ROOT_ACCESS_KEY_ID and HASHRANGE_ROOT_SECRET_ACCESS_KEY
  --identities FILE           HASHRANGE_IDENTITIES
                                                 users, groups, roles, policies and access keys to create (JSON; see
                                                 docs/security.md)
  --secret-key-file FILE      HASHRANGE_SECRET_KEY_FILE
                                                 the key that encrypts secret access keys in the store (openssl rand -base64 32);
                                                 HASHRANGE_SECRET_KEY gives the key itself. By default it is in the file
                                                 secret.key in the data folder
  --path .hashrange           HASHRANGE_PATH     folder that holds the data
  --archive PLACE             HASHRANGE_ARCHIVE  continuously archive every write, a few seconds behind, to a folder or to
                                                 s3://bucket/prefix
  --from PLACE [--at TIME]                       restore an archive into a new data folder: its latest state, or its state
                                                 at that time
  --accept-loss                                  open a data folder whose redo log is damaged, without the writes that
                                                 can no longer be read
  --memory                    HASHRANGE_MEMORY   keep the data in memory; it is lost when the server stops
  --store URL                 HASHRANGE_STORE    keep the data in a PostgreSQL database (postgres://user:password@host/database);
                                                 any number of servers can share it
  --store-distribution auto   HASHRANGE_STORE_DISTRIBUTION
                                                 citus: distribute the data over the nodes of a Citus cluster; none: do not;
                                                 auto: distribute it if Citus is installed
  --dax-port 8111             HASHRANGE_DAX_PORT serve DAX clients too, on this port (see docs/dax.md)
  --dax-record-ttl-millis MS  HASHRANGE_DAX_RECORD_TTL_MILLIS
                                                 how long DAX keeps items; 300000 by default
  --dax-query-ttl-millis MS   HASHRANGE_DAX_QUERY_TTL_MILLIS
                                                 how long DAX keeps results of Query and Scan; 300000 by default
  --dax-cache-size MB         HASHRANGE_DAX_CACHE_SIZE
                                                 the size of each of DAX's caches; 64 by default
  --tls-cert FILE             HASHRANGE_TLS_CERT serve over HTTPS with this certificate (PEM, with its issuers); a changed file is
                                                 used within seconds, without a restart
  --tls-key FILE              HASHRANGE_TLS_KEY  the private key of that certificate (PEM, without a passphrase)
  --tls-client-ca FILE        HASHRANGE_TLS_CLIENT_CA
                                                 only answer clients that have a certificate from one of these issuers
  --encryption-key-file FILE  HASHRANGE_ENCRYPTION_KEY_FILE
                                                 encrypt all values on disk with this key (32 bytes: openssl rand -hex 32);
                                                 HASHRANGE_ENCRYPTION_KEY gives the key itself
  --audit-log FILE            HASHRANGE_AUDIT_LOG
                                                 record every management call (who, from where, what, and how it ended) as one
                                                 line of JSON, in the form of AWS CloudTrail
  --audit-data-events         HASHRANGE_AUDIT_DATA_EVENTS
                                                 record calls on items too: their keys, but no other values
  --audit-log-size MB         HASHRANGE_AUDIT_LOG_SIZE
                                                 start a new file at this size; 100 by default
  --audit-log-files N         HASHRANGE_AUDIT_LOG_FILES
                                                 how many files to keep; 10 by default
  --allowed-hosts NAME        HASHRANGE_ALLOWED_HOSTS
                                                 a host name that clients use to reach the server, such as db.example.com;
                                                 .example.com allows all its subdomains, * allows any name. IP addresses,
                                                 localhost, and names that are not in public DNS, such as a container's, are
                                                 always allowed
  --cors ORIGIN               HASHRANGE_CORS     let web pages from this origin use the server, such as https://app.example.com;
                                                 * allows any page. Pages from this machine are always allowed
  --webhooks URL              HASHRANGE_WEBHOOKS
                                                 let alarms call webhooks whose address starts with this URL, such as
                                                 https://hooks.example.com/alarms/; * allows any address, none allows none. By
                                                 default alarms can call this machine, unless other machines can reach the server
  --kinesis-endpoint URL      HASHRANGE_KINESIS_ENDPOINT
                                                 where the Kinesis streams of EnableKinesisStreamingDestination are, if they
                                                 are not in this database. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
  --change-webhook TABLE=URL  HASHRANGE_CHANGE_WEBHOOKS
                                                 send every change of a table to this address, signed with the secret in
                                                 HASHRANGE_WEBHOOK_SECRET; can be given more than once
  --region NAME               HASHRANGE_REGION   the region of this server, if it is linked to others
  --replicate REGION=URL      HASHRANGE_REPLICATE
                                                 the server that has the replicas of global tables in this region, such as
                                                 eu-west-1=https://eu.example.com:8000; can be given more than once. If it is closed,
                                                 set HASHRANGE_REPLICATE_ACCESS_KEY_ID and HASHRANGE_REPLICATE_SECRET_ACCESS_KEY
  --replicate-ca FILE         HASHRANGE_REPLICATE_CA
                                                 the issuer of the certificates of these servers, if this machine does not know it
  --shared                    HASHRANGE_SHARED   give every client the same tables, whatever its access key and region are
  --shared-keys               HASHRANGE_SHARED=keys
                                                 give every access key the same tables; each region still has its own
  --buckets FOLDER            HASHRANGE_BUCKETS  where ExportTableToPointInTime and ImportTable find their S3 buckets: a folder
                                                 with one subfolder per bucket, s3, or the address of an S3-compatible server
  --export-key-file FILE      HASHRANGE_EXPORT_KEY_FILE
                                                 encrypt exports with the key in this file, and read encrypted imports with it; or
                                                 put the key in HASHRANGE_EXPORT_KEY
  --apply FILE                HASHRANGE_APPLY    create and update the tables that this file declares before the server answers (see
                                                 hashrange apply --help); can be given more than once. The tables belong to the
                                                 access key in AWS_ACCESS_KEY_ID, or local, unless --shared is given
  --seed [FILE]                                  put the items of this file into its tables if they are empty (see hashrange seed
                                                 --help); without FILE, create the tables of --model and fill them with
                                                 generated items. Can be given more than once
  --function NAME=PLACE       HASHRANGE_FUNCTIONS
                                                 a function that triggers and Lambda's Invoke call: a JavaScript or TypeScript
                                                 file and what it exports (on-order=functions/on-order.handler), a program that
                                                 speaks Lambda's runtime API (on-order=./bootstrap), or the URL of a runtime
                                                 interface emulator; can be given more than once
  --trigger TABLE=NAME        HASHRANGE_TRIGGERS call this function with every change of the table, or
                                                 with every record of a Kinesis stream (kinesis:clicks=on-click);
                                                 can be given more than once
  --config FILE               HASHRANGE_CONFIG   a file that declares functions and triggers with their settings; by default,
                                                 hashrange.config.ts, .js, .mjs or .json in this folder (see docs/events.md)
  --function-uploads          HASHRANGE_FUNCTION_UPLOADS
                                                 let clients on other machines create functions from code that they send
                                                 (CreateFunction); needs --auth. Such code runs with the rights of the server
  --stream-retention HOURS    HASHRANGE_STREAM_RETENTION
                                                 how long stream records are kept; 24 hours by default
  --ttl-sweep SECONDS         HASHRANGE_TTL_SWEEP
                                                 how often items whose time to live has expired are deleted; 10 by default
  --max-clock-offset SECONDS  HASHRANGE_MAX_CLOCK_OFFSET
                                                 the server does not start if this machine's clock differs from the database's
                                                 by more than this; 300 by default. The server uses the database's time
  --throttling measure        HASHRANGE_THROTTLING
                                                 measure: count and log requests that AWS would throttle; enforce: throttle
                                                 them; off: do neither
  --consistency current       HASHRANGE_CONSISTENCY
                                                 eventual: delay eventually consistent reads, including all reads of global
                                                 secondary indexes, so that they can return older data, as on AWS
  --consistency-lag MS        HASHRANGE_CONSISTENCY_LAG
                                                 the longest time before such a read sees a write; 1000 by default
  --consistency-seed N        HASHRANGE_CONSISTENCY_SEED
                                                 seed of the delays; another number gives other delays
  --dialect 2026              HASHRANGE_DIALECT  2025: use the error messages that AWS sent until summer 2026
  --model FILE|FOLDER         HASHRANGE_MODEL    a model to show in the workbench, or a folder where the workbench can load and
                                                 save models; can be given more than once
  --remote-models             HASHRANGE_REMOTE_MODELS
                                                 let pages on other machines load and save models too; this runs code on this
                                                 machine
  --edit-models               HASHRANGE_EDIT_MODELS
                                                 let the workbench change the model files that it shows; whoever can open it
                                                 can then run code on this machine
  --connect NAME=PLACE        HASHRANGE_CONNECT  another database that the workbench can show: NAME=http://…, NAME=aws:PROFILE
                                                 or NAME=aws:PROFILE@REGION; can be given more than once
  --workbench-read-only       HASHRANGE_WORKBENCH_READ_ONLY
                                                 do not let the workbench change anything
  --no-workbench, --workbench HASHRANGE_WORKBENCH
                                                 whether to serve the workbench, at /_workbench; by default it is served unless
                                                 other machines can reach the server (--host)
                              HASHRANGE_WORKBENCH_TOKEN
                                                 a fixed token for the workbench's address; by default, each start creates a
                                                 new one

Without --shared, each access key has its own tables in each region, as each account has on AWS. Any access key and
secret will do, unless --auth closes the server.`
