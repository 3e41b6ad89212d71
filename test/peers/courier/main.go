// RapidPro's courier: its own handlers send, and take receipts and texts (see rapidpro.test.ts): TYPE ADDRESS CONFIG
// PORT CERTIFICATE KEY FOLDER. A line of standard input is a message to send; standard output tells what became of it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
	_ "unsafe"

	"github.com/gomodule/redigo/redis"
	"github.com/nyaruka/courier/v26/core/channels"
	"github.com/nyaruka/courier/v26/core/models"
	_ "github.com/nyaruka/courier/v26/handlers/external"
	_ "github.com/nyaruka/courier/v26/handlers/kannel"
	"github.com/nyaruka/courier/v26/runtime"
	"github.com/nyaruka/courier/v26/test"
	"github.com/nyaruka/gocommon/spools"
	"github.com/nyaruka/gocommon/syncx"
	"github.com/nyaruka/gocommon/urns"
	"github.com/vinovest/sqlx"
)

// What courier writes statuses with: to PostgreSQL there, to standard output here.
//
//go:linkname statusWriter github.com/nyaruka/courier/v26/core/models.statusWriter
var statusWriter *models.StatusWriter

// Where courier keeps texts while its PostgreSQL is down: here it always is.
//
//go:linkname msgSpool github.com/nyaruka/courier/v26/core/models.msgSpool
var msgSpool *spools.Spool[*models.MsgIn]

const channelUUID = "8eb23e93-5ecb-45ba-b726-3b064e0c56ab"

var lock sync.Mutex

func told(fields map[string]any) {
	line, _ := json.Marshal(fields)
	lock.Lock()
	defer lock.Unlock()
	os.Stdout.Write(append(line, '\n'))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// As courier's sender reads what a handler returned.
func outcome(err error) map[string]any {
	var known *channels.SendError
	switch {
	case err == nil:
		return map[string]any{"status": models.MsgStatusWired}
	case errors.As(err, &known) && !known.Retryable():
		return map[string]any{"status": models.MsgStatusFailed, "error": err.Error()}
	default:
		return map[string]any{"status": models.MsgStatusErrored, "error": err.Error()}
	}
}

func main() {
	kind, address, port := os.Args[1], os.Args[2], os.Args[4]
	config := map[string]any{"callback_domain": "127.0.0.1:" + port}
	must(json.Unmarshal([]byte(os.Args[3]), &config))
	rt := runtime.NewTestRuntime(runtime.NewDefaultConfig())
	rt.VK = &redis.Pool{Dial: func() (redis.Conn, error) { return nil, errors.New("no Valkey") }}
	rt.DB = sqlx.MustOpen("postgres", "postgres://127.0.0.1:1/none?sslmode=disable")
	channel := test.NewMockChannel(channelUUID, kind, address, "IR", []string{urns.Phone.Prefix}, config)
	statusWriter = &models.StatusWriter{Batcher: syncx.NewBatcher(func(batch []*models.StatusUpdate) {
		for _, update := range batch {
			told(map[string]any{"kind": "receipt", "uuid": update.MsgUUID(), "status": update.Status()})
		}
	}, 1, time.Millisecond, 100)}
	statusWriter.Start(&sync.WaitGroup{})
	msgSpool = spools.New[*models.MsgIn](os.Args[7], time.Hour, spools.MarshalJSON, spools.UnmarshalJSON, nil)

	handler := channels.GetHandler(models.ChannelType(kind))
	handler.SetRuntime(rt)
	routes := channels.NewRoutes()
	must(handler.Initialize(routes))
	for _, route := range routes.All() {
		path := "/c/" + strings.ToLower(kind) + "/" + channelUUID + "/" + route.Action
		http.HandleFunc(route.Method+" "+path, func(w http.ResponseWriter, r *http.Request) {
			clog := models.NewChannelLogForIncoming(route.LogType, channel, nil, nil)
			events, err := route.Func(r.Context(), channel, w, r, clog)
			must(err)
			for _, event := range events {
				if text, ok := event.(*models.MsgIn); ok {
					told(map[string]any{"kind": "text", "from": text.URN().Path(), "text": text.Text()})
				}
			}
		})
	}
	go func() { must(http.ListenAndServeTLS("127.0.0.1:"+port, os.Args[5], os.Args[6], nil)) }()

	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var wanted struct{ UUID, To, Text string }
		must(json.Unmarshal(lines.Bytes(), &wanted))
		msg := test.NewMockMsg(models.MsgUUID(wanted.UUID), channel, urns.URN("tel:"+wanted.To), wanted.Text, nil)
		clog := models.NewChannelLogForSend(msg, handler.RedactValues(channel))
		fields := outcome(handler.Send(context.Background(), msg, &channels.SendResult{}, clog))
		fields["kind"], fields["uuid"] = "sent", wanted.UUID
		if count := len(clog.HttpLogs); count > 0 {
			fields["answer"] = clog.HttpLogs[count-1].Response
		}
		told(fields)
	}
}
