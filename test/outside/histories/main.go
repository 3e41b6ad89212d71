// Judges histories by porcupine: whether what concurrent clients were answered could have happened one after the other.
// Reads one history a line, {"model": NAME, "operations": [...]}, and writes "true" or "false" a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// An operation of one client. Of an unanswered one nobody knows whether, or when, it was carried out.
type operation struct {
	Client int    `json:"client"`
	Call   int64  `json:"call"`
	Return int64  `json:"return"`
	Do     string `json:"do"`
	// Parts of a message, or an amount.
	Amount  int    `json:"amount"`
	Answer  string `json:"answer"`
	Code    string `json:"code"`
	Left    int    `json:"left"`
	Unknown bool   `json:"unknown"`
}

type history struct {
	Model      string      `json:"model"`
	Operations []operation `json:"operations"`
	// What a model begins with: a limit, a balance.
	From int `json:"from"`
}

// All models share one state; each uses what it needs.
type state struct {
	code  string
	rank  int
	count int
	isOn  bool
	isEnd bool
}

const unknownCode = "?"

// Of a key: one request makes the message, and all others get its code.
func key(s state, op operation) []state {
	switch {
	case op.Unknown && s.code == "":
		return []state{s, {code: unknownCode}}
	case op.Unknown:
		return []state{s}
	case op.Answer == "202" && s.code == "":
		return []state{{code: op.Code}}
	case op.Answer == "200" && (s.code == op.Code || s.code == unknownCode):
		return []state{{code: op.Code}}
	}
	return nil
}

var ranks = map[string]int{"queued": 0, "processing": 1, "sent": 2, "delivered": 3, "failed": 3}

// Of a message: its status goes forward, and of its cancel and its claim one wins.
func cancel(s state, op operation) []state {
	isCancelled := state{isEnd: true}
	if op.Do == "cancel" {
		switch {
		case op.Unknown && !s.isEnd && s.rank == 0:
			return []state{s, isCancelled}
		case op.Unknown:
			return []state{s}
		case op.Answer == "200" && (s.isEnd || s.rank == 0):
			return []state{isCancelled}
		case op.Answer == "409" && !s.isEnd:
			return []state{{rank: max(s.rank, 1)}}
		}
		return nil
	}
	rank, isKnown := ranks[op.Answer]
	switch {
	case op.Unknown:
		return []state{s}
	case op.Answer == "cancelled" && s.isEnd:
		return []state{s}
	case isKnown && !s.isEnd && rank >= s.rank:
		return []state{{rank: rank}}
	}
	return nil
}

const guessesMax = 5

// Of a code: five guesses, and none after the right one.
func verify(s state, op operation) []state {
	after := s
	after.count += 1
	after.isEnd = op.Do == "right"
	isOpen := !s.isEnd && s.count < guessesMax
	switch {
	case op.Unknown && isOpen:
		return []state{s, after}
	case op.Unknown:
		return []state{s}
	case op.Answer == "pending" && op.Do == "wrong" && isOpen && op.Left == guessesMax-after.count:
		return []state{after}
	case op.Answer == "verified" && op.Do == "right" && isOpen:
		return []state{after}
	case op.Answer == "otp_challenge_used" && s.isEnd, op.Answer == "otp_challenge_locked" && !s.isEnd && !isOpen:
		return []state{s}
	}
	return nil
}

// Of a quota or a balance: as many are accepted as fit, and no more.
func room(s state, op operation) []state {
	after := state{count: s.count - op.Amount}
	switch {
	case op.Do == "add" && op.Unknown:
		return []state{s, {count: s.count + op.Amount}}
	case op.Do == "add":
		return []state{{count: s.count + op.Amount}}
	case op.Unknown && after.count >= 0:
		return []state{s, after}
	case op.Unknown:
		return []state{s}
	case op.Answer == "202" && after.count >= 0:
		return []state{after}
	case op.Answer == "refused" && after.count < 0:
		return []state{s}
	}
	return nil
}

// Of a sender that is switched on and off.
func sender(s state, op operation) []state {
	switched := state{isOn: op.Do == "on"}
	switch {
	case op.Do != "send" && op.Unknown:
		return []state{s, switched}
	case op.Do != "send":
		return []state{switched}
	case op.Unknown, op.Answer == "202" && s.isOn, op.Answer == "refused" && !s.isOn:
		return []state{s}
	}
	return nil
}

var models = map[string]func(state, operation) []state{
	"key": key, "cancel": cancel, "verify": verify, "quota": room, "balance": room, "sender": sender,
}

func isLinearizable(h history) bool {
	step := models[h.Model]
	possible := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{state{count: h.From, isOn: h.Model == "sender"}} },
		Step: func(s, input, _ interface{}) []interface{} {
			states := []interface{}{}
			for _, next := range step(s.(state), input.(operation)) {
				states = append(states, next)
			}
			return states
		},
		Equal: func(a, b interface{}) bool { return a == b },
	}
	model := possible.ToModel()
	operations := []porcupine.Operation{}
	for _, op := range h.Operations {
		operations = append(operations, porcupine.Operation{ClientId: op.Client, Input: op, Call: op.Call, Return: op.Return})
	}
	return porcupine.CheckOperationsTimeout(model, operations, 20*time.Second) == porcupine.Ok
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var h history
		if err := json.Unmarshal(lines.Bytes(), &h); err != nil || models[h.Model] == nil {
			fmt.Fprintln(os.Stderr, "no history:", lines.Text())
			os.Exit(1)
		}
		fmt.Println(isLinearizable(h))
	}
}
