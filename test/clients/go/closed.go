// The AWS SDK for Go on a closed server: it is let in with the right keys, and refused as on AWS with any others.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
)

var given struct {
	Endpoint string
	Root     key
}

type key struct{ AccessKeyID, SecretAccessKey, SessionToken string }

func (k key) provider() aws.CredentialsProvider {
	return credentials.NewStaticCredentialsProvider(k.AccessKeyID, k.SecretAccessKey, k.SessionToken)
}

func tables(k key, more ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: &given.Endpoint, Region: "eu-west-1", Credentials: k.provider(), RetryMaxAttempts: 1,
	}, more...)
}

func identities(k key) *sts.Client {
	return sts.New(sts.Options{
		BaseEndpoint: &given.Endpoint, Region: "eu-west-1", Credentials: k.provider(), RetryMaxAttempts: 1,
	})
}

// Signs as if it were some time ago.
type slowClock struct{ behind time.Duration }

func (c slowClock) SignHTTP(ctx context.Context, k aws.Credentials, r *http.Request, hash, service, region string, at time.Time, more ...func(*v4.SignerOptions)) error {
	return v4.NewSigner().SignHTTP(ctx, k, r, hash, service, region, at.Add(-c.behind), more...)
}

// Changes what was signed on its way.
type meddler func(*http.Request)

func (change meddler) Do(r *http.Request) (*http.Response, error) {
	change(r)
	return http.DefaultClient.Do(r)
}

func through(change meddler) func(*dynamodb.Options) {
	return func(o *dynamodb.Options) { o.HTTPClient = change }
}

func main() {
	ctx := context.Background()
	check(json.NewDecoder(os.Stdin).Decode(&given))
	root := given.Root
	_, err := tables(root).CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            aws.String("music"),
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
		BillingMode:          types.BillingModePayPerRequest,
	})
	check(err)
	item := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}
	_, err = tables(root).PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("music"), Item: item})
	check(err)

	read := func(client *dynamodb.Client) error {
		found, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("music"), Key: item})
		if err == nil && len(found.Item) != 1 {
			err = errors.New("the item is not there")
		}
		return err
	}
	check(read(tables(root)))

	made, err := identities(root).GetSessionToken(ctx, &sts.GetSessionTokenInput{})
	check(err)
	session := key{*made.Credentials.AccessKeyId, *made.Credentials.SecretAccessKey, *made.Credentials.SessionToken}
	check(read(tables(session)))

	wrong, unknown, tokenless := root, root, session
	wrong.SecretAccessKey, unknown.AccessKeyID, tokenless.SessionToken = "wrong", "AKIAAAAAAAAAAAAAAAAA", ""
	refused("InvalidSignatureException", "The Canonical String for this request should have been", read(tables(wrong)))
	refused("UnrecognizedClientException", "security token included in the request is invalid", read(tables(unknown)))
	refused("UnrecognizedClientException", "security token included in the request is invalid", read(tables(tokenless)))
	refused("InvalidSignatureException", "Signature expired: ", read(tables(root, func(o *dynamodb.Options) {
		o.HTTPSignerV4 = slowClock{time.Hour}
	})))
	refused("InvalidSignatureException", "Signature not yet current: ", read(tables(root, func(o *dynamodb.Options) {
		o.HTTPSignerV4 = slowClock{-time.Hour}
	})))
	refused("InvalidSignatureException", "does not match", read(tables(root, through(func(r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		check(err)
		r.Body = io.NopCloser(strings.NewReader(strings.Replace(string(sent), `"a"`, `"b"`, 1)))
	}))))
	refused("InvalidSignatureException", "does not match", read(tables(root, through(func(r *http.Request) {
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DeleteItem")
	}))))
	refused("MissingAuthenticationTokenException", "Request is missing Authentication Token", read(tables(root, through(func(r *http.Request) {
		r.Header.Del("Authorization")
	}))))
	check(read(tables(root)))
}

func refused(code, part string, err error) {
	var refusal smithy.APIError
	if !errors.As(err, &refusal) || refusal.ErrorCode() != code || !strings.Contains(refusal.ErrorMessage(), part) {
		check(fmt.Errorf("expected %s (%s), got %w", code, part, err))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
