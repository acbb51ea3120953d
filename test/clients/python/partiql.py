"""Statements in PartiQL: one at a time, in batches and in transactions."""

from connection import client, create, domain, equal, refused

table = create(domain["table"])


def execute(statement, *parameters, **options):
    given = {"Parameters": list(parameters)} if parameters else {}
    return client.execute_statement(Statement=statement, **given, **options)


def text(value):
    return {"S": value}


def number(value):
    return {"N": str(value)}


for sort, duration in [("Air Song", 741), ("Monogram", 301), ("Sol", 405)]:
    execute('INSERT INTO "Music" VALUE {\'pk\': ?, \'sk\': ?, \'duration\': ?}', text("Solar"), text(sort), number(duration))
refused("DuplicateItemException", execute, statement='INSERT INTO "Music" VALUE {\'pk\': \'Solar\', \'sk\': \'Sol\'}')

found = execute('SELECT sk, duration FROM "Music" WHERE pk = ? AND begins_with(sk, ?)', text("Solar"), text("M"))
equal(found["Items"], [{"sk": text("Monogram"), "duration": number(301)}])

# A condition on the partition key is a query: it costs what it reads.
for n in range(50):
    execute('INSERT INTO "Music" VALUE {\'pk\': ?, \'sk\': \'x\', \'filler\': ?}', text(f"other {n}"), text("x" * 4_000))
consumed = execute('SELECT * FROM "Music" WHERE pk = \'Solar\'', ReturnConsumedCapacity="TOTAL")
equal(len(consumed["Items"]), 3)
equal(consumed["ConsumedCapacity"]["CapacityUnits"], 0.5)

# Pages.
seen, token = [], {}
while True:
    page = execute('SELECT sk FROM "Music" WHERE pk = \'Solar\' ORDER BY sk DESC', Limit=1, **token)
    seen += [item["sk"]["S"] for item in page["Items"]]
    if "NextToken" not in page:
        break
    token = {"NextToken": page["NextToken"]}
equal(seen, ["Sol", "Monogram", "Air Song"])

changed = execute(
    'UPDATE "Music" SET duration = duration + ? WHERE pk = \'Solar\' AND sk = \'Sol\' RETURNING ALL NEW *', number(5)
)
equal(changed["Items"], [{"pk": text("Solar"), "sk": text("Sol"), "duration": number(410)}])
refused(
    "ConditionalCheckFailedException",
    execute,
    statement='UPDATE "Music" SET duration = 1 WHERE pk = \'Solar\' AND sk = \'Sol\' AND duration = 1',
)
gone = execute('DELETE FROM "Music" WHERE pk = \'Solar\' AND sk = \'Sol\' RETURNING ALL OLD *')
equal(gone["Items"][0]["duration"], number(410))
refused("ValidationException", execute, statement="SELEKT * FROM Music")
refused("ResourceNotFoundException", execute, statement='SELECT * FROM "Nothing" WHERE pk = \'a\'')

# A batch answers for each of its statements.
answers = client.batch_execute_statement(
    Statements=[
        {"Statement": 'SELECT duration FROM "Music" WHERE pk = ? AND sk = ?', "Parameters": [text("Solar"), text(sort)]}
        for sort in ["Air Song", "Sol"]
    ]
    + [{"Statement": 'SELECT * FROM "Nothing" WHERE pk = \'a\''}]
)["Responses"]
equal([answer.get("Item") for answer in answers], [{"duration": number(741)}, None, None])
equal([answer.get("Error", {}).get("Code") for answer in answers], [None, None, "ResourceNotFound"])

# A transaction is all or nothing.
move = [
    {"Statement": 'DELETE FROM "Music" WHERE pk = \'Solar\' AND sk = \'Monogram\''},
    {"Statement": 'INSERT INTO "Music" VALUE {\'pk\': \'Solar\', \'sk\': \'Air Song\'}'},
]
answer = refused("TransactionCanceledException", client.execute_transaction, TransactStatements=move)
equal([reason["Code"] for reason in answer["CancellationReasons"]], ["None", "DuplicateItem"])
check = {"Statement": 'EXISTS(SELECT * FROM "Music" WHERE pk = \'Solar\' AND sk = \'Air Song\' AND duration = 741)'}
client.execute_transaction(TransactStatements=[move[0], check])
left = client.execute_transaction(
    TransactStatements=[
        {"Statement": f'SELECT * FROM "Music" WHERE pk = \'Solar\' AND sk = \'{sort}\''} for sort in ["Air Song", "Monogram"]
    ]
)
equal(["Item" in answer for answer in left["Responses"]], [True, False])
