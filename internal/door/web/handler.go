package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"time"

	"girih/internal/budget"
	"girih/internal/lang/report"
	"girih/internal/notice"
	"girih/internal/service"
)

// Limits of the server at a time and for one request.
const (
	// MaxTime is how long one request may evaluate.
	MaxTime = 10 * time.Second
	// maxMemory limits the values of all requests together, in bytes; [service.MaxMemory] limits one request.
	maxMemory = 384 << 20
	// maxHeap limits the heap, in bytes: beyond it, the request that allocated the most ends.
	maxHeap = 640 << 20
	// maxClients limits the clients with a running request while requests of others take long.
	maxClients = 64
	// maxWait is how long a request waits for its turn.
	maxWait = 30 * time.Second
	// maxResponses limits the total length of responses being sent, in bytes.
	maxResponses = 256 << 20
)

// policy lets the page load nothing but itself.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: " +
	"blob:; connect-src 'self'; " +
	"worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "

// newHandler returns the handler of the explorer: the page, and POST api/OPERATION with a request of the service as
// JSON. The guard refuses requests for other hosts, and requests made by another site. The handler reads the options
// Public and Forwarded.
//
// At any time, at most twice as many requests evaluate as there are processors, and one of each other client; other
// requests wait their turn, and responses wait while 256 MiB of others are being sent. A request that takes longer than
// [MaxTime], or more memory than available, is answered with an error of code "limit", and its evaluation ends.
func newHandler(g *guard, o Options) http.Handler {
	files, err := embeddedPage()
	if err != nil {
		panic(err) // the folder is embedded
	}
	first, err := firstPage(servedMark, o.Public)
	if err != nil {
		panic(err) // the page is embedded, and a test has seen it
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{file}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		content, ok := files[name]
		switch {
		case name == "index.html":
			http.Redirect(w, r, "./", http.StatusMovedPermanently)
		case !ok:
			http.NotFound(w, r)
		default:
			http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
		}
	})
	mux.HandleFunc("GET /{$}", serveText("text/html; charset=utf-8", first))
	mux.HandleFunc("GET /"+licenses, serveText("text/plain; charset=utf-8", []byte(notice.Text())))
	a := newAPI(new(service.Pages).DoWithin)
	a.forwarded = o.Forwarded
	mux.Handle("POST /api/{op}", http.NewCrossOriginProtection().Handler(a))
	frames := cmp.Or(strings.Join(o.Frames, " "), "'none'")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header(), frames)
		if g.admit(w, r) {
			mux.ServeHTTP(w, r)
		}
	})
}

func serveText(kind string, content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

// An api carries out operations, a few at a time.
type api struct {
	do     func(ctx context.Context, op string, body []byte) []byte // service.DoWithin, except in tests
	time   time.Duration                                            // the time limit for one request
	wait   time.Duration                                            // how long a request waits for its turn
	turns  *budget.Turns
	memory *budget.Pool
	quota  *responseQuota // limits the responses that are being sent

	forwarded string // see Options.Forwarded
}

func newAPI(do func(ctx context.Context, op string, body []byte) []byte) *api {
	turns := budget.NewTurns(2*runtime.GOMAXPROCS(0), maxClients)
	return &api{
		do: do, time: MaxTime, wait: maxWait, turns: turns, memory: budget.NewPool(maxMemory, maxHeap),
		quota: newResponseQuota(maxResponses),
	}
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(w, r)
	if err != nil {
		answer(w, http.StatusRequestEntityTooLarge, limit("the request is longer than 2 MiB, or did not arrive"))
		return
	}
	done := attend(r.Context())
	defer done()
	wait, stop := context.WithTimeout(r.Context(), a.wait)
	defer stop()
	leave := a.turns.Enter(wait, clientOfRequest(r, a.forwarded).String())
	if leave == nil {
		answer(w, http.StatusServiceUnavailable, limit("the server is busy with other requests: try again"))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), a.time)
	defer cancel()
	out, ok := a.evaluate(ctx, leave, r.PathValue("op"), body)
	if !ok {
		answer(w, http.StatusOK, limit("the evaluation takes longer than "+a.time.String()+", which is the most the server allows"))
		return
	}
	defer a.quota.release(len(out))
	done() // from here on, only the client can be slow
	answer(w, http.StatusOK, out)
}

// evaluate carries out an operation that has a turn, and gives the turn back. The response holds its share of the
// quota. evaluate reports whether the operation ended in time; an overdue operation ends at its next step, and
// keeps its turn until then.
func (a *api) evaluate(ctx context.Context, leave func(), op string, body []byte) (out []byte, ok bool) {
	done := make(chan []byte)
	go func() {
		defer leave()
		b := a.memory.Budget(ctx, service.MaxMemory)
		defer b.Close()
		out := a.doGuarded(budget.With(ctx, b), op, body)
		if len(out) > service.MaxAnswer {
			out = limit(fmt.Sprintf("the answer has %d bytes, the server sends at most %d: ask for a part of it",
				len(out), service.MaxAnswer))
		}
		if !a.quota.acquire(ctx, len(out)) {
			return
		}
		select {
		case done <- out:
		case <-ctx.Done():
			a.quota.release(len(out))
		}
	}()
	select {
	case out := <-done:
		return out, true
	case <-ctx.Done():
		return nil, false
	}
}

// doGuarded carries out an operation; a panic is answered as an error.
func (a *api) doGuarded(ctx context.Context, op string, body []byte) (out []byte) {
	defer func() {
		if p := recover(); p != nil {
			out = fault("internal", fmt.Sprintf("a defect of girih: %v", p))
		}
	}()
	return a.do(ctx, op, body)
}

// readBody reads a request within the limit of the service.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return io.ReadAll(http.MaxBytesReader(w, r.Body, service.MaxRequest))
}

func answer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body) // the client may be gone, and then needs no answer
}

// limit is a response with an error of that code.
func limit(message string) []byte { return fault("limit", message) }

func fault(code, message string) []byte {
	var r struct {
		OK    bool         `json:"ok"`
		Error report.Error `json:"error"`
	}
	r.Error = report.Error{Code: code, Message: message}
	out, _ := json.Marshal(r) // strings always encode
	return out
}
