// A customer of gosmpp (see smpp-customers.test.ts): PORT SYSTEM_ID PASSWORD MODE COUNT HEX…
package main

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/linxGnu/gosmpp"
	"github.com/linxGnu/gosmpp/data"
	"github.com/linxGnu/gosmpp/pdu"
)

type item struct {
	key      string
	octets   []byte
	esmClass byte
}

var (
	lock    sync.Mutex
	waiting []item
	sent    = map[int32]item{}
)

func told(kind string, fields map[string]string) {
	fields["kind"] = kind
	line, _ := json.Marshal(fields)
	os.Stdout.Write(append(line, '\n'))
}

func ucs2(text string) []byte {
	octets := []byte{}
	for _, unit := range utf16.Encode([]rune(text)) {
		octets = binary.BigEndian.AppendUint16(octets, unit)
	}
	return octets
}

func received(p pdu.PDU, _ bool) {
	switch answer := p.(type) {
	case *pdu.SubmitSMResp:
		lock.Lock()
		known, ok := sent[answer.SequenceNumber]
		delete(sent, answer.SequenceNumber)
		if ok && !answer.IsOk() {
			waiting = append(waiting, known)
		}
		lock.Unlock()
		if ok && answer.IsOk() {
			told("submitted", map[string]string{"key": known.key, "id": answer.MessageID})
		}
	case *pdu.DeliverSM:
		octets, _ := answer.Message.GetMessageData()
		if answer.EsmClass&0x04 == 0 {
			told("text", map[string]string{"source": answer.SourceAddr.Address(), "octets": hex.EncodeToString(octets)})
			return
		}
		fields := map[string]string{}
		for _, field := range strings.Fields(string(octets)) {
			if name, value, ok := strings.Cut(field, ":"); ok {
				fields[name] = value
			}
		}
		told("receipt", map[string]string{"id": fields["id"], "state": fields["stat"]})
	}
}

// What a connection that is gone never answered is sent again.
func forget() {
	lock.Lock()
	defer lock.Unlock()
	for sequence, one := range sent {
		waiting = append(waiting, one)
		delete(sent, sequence)
	}
}

func bound(connector gosmpp.Connector) *gosmpp.Session {
	for {
		session, err := gosmpp.NewSession(connector, gosmpp.Settings{
			EnquireLink:      2 * time.Second,
			ReadTimeout:      5 * time.Second,
			OnPDU:            received,
			OnReceivingError: func(error) {},
			OnSubmitError:    func(pdu.PDU, error) {},
			OnRebindingError: func(error) {},
			OnClosed:         func(gosmpp.State) { forget() },
		}, 100*time.Millisecond)
		if err == nil {
			return session
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func submitAll(submit func(pdu.PDU) error) {
	for ; ; time.Sleep(5 * time.Millisecond) {
		lock.Lock()
		if len(waiting) == 0 || len(sent) >= 10 {
			lock.Unlock()
			continue
		}
		next := waiting[0]
		message := pdu.NewSubmitSM().(*pdu.SubmitSM)
		message.SourceAddr.SetTon(2)
		message.SourceAddr.SetAddress("30001234")
		message.DestAddr.SetTon(1)
		message.DestAddr.SetNpi(1)
		message.DestAddr.SetAddress("989121234500")
		message.RegisteredDelivery = 1
		message.EsmClass = next.esmClass
		message.Message.SetMessageDataWithEncoding(next.octets, data.UCS2)
		message.RegisterOptionalParam(pdu.Field{Tag: 0x1500, Data: []byte(next.key)})
		waiting = waiting[1:]
		sent[message.SequenceNumber] = next
		lock.Unlock()
		if submit(message) != nil {
			lock.Lock()
			if _, isOpen := sent[message.SequenceNumber]; isOpen {
				delete(sent, message.SequenceNumber)
				waiting = append(waiting, next)
			}
			lock.Unlock()
			time.Sleep(50 * time.Millisecond)
		}
	}
}

func main() {
	port, mode := os.Args[1], os.Args[4]
	for index, octets := range os.Args[6:] {
		part, _ := hex.DecodeString(octets)
		waiting = append(waiting, item{fmt.Sprintf("part-%d", index), part, 0x40})
	}
	count, _ := strconv.Atoi(os.Args[5])
	for index := range count {
		waiting = append(waiting, item{fmt.Sprintf("item-%d", index), ucs2(fmt.Sprintf("item %d", index)), 0})
	}
	auth := gosmpp.Auth{SMSC: "127.0.0.1:" + port, SystemID: os.Args[2], Password: os.Args[3]}
	if mode == "refused" {
		_, err := gosmpp.NewSession(gosmpp.TRXConnector(gosmpp.NonTLSDialer, auth), gosmpp.Settings{ReadTimeout: 5 * time.Second}, -1)
		told("refused", map[string]string{"words": fmt.Sprint(err)})
		return
	}
	if mode == "apart" {
		go bound(gosmpp.RXConnector(gosmpp.NonTLSDialer, auth))
		session := bound(gosmpp.TXConnector(gosmpp.NonTLSDialer, auth))
		go submitAll(func(p pdu.PDU) error { return session.Transmitter().Submit(p) })
	} else {
		session := bound(gosmpp.TRXConnector(gosmpp.NonTLSDialer, auth))
		go submitAll(func(p pdu.PDU) error { return session.Transceiver().Submit(p) })
	}
	io.Copy(io.Discard, os.Stdin)
	told("ended", map[string]string{})
}
