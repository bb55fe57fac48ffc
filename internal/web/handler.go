package web

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"runtime"
	"time"

	"girih/internal/service"
)

//go:embed dist
var dist embed.FS

// What the server does at a time and for one request, at most.
const (
	// MaxTime is how long one request may evaluate.
	MaxTime = 10 * time.Second
	// maxAnswer is the length of an answer, in bytes. The elements of the largest value that is shown take a third of it.
	maxAnswer = 16 << 20
	// maxWait is how long a request waits for its turn.
	maxWait = 30 * time.Second
)

// policy lets the page load nothing but itself.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler returns the handler of the explorer: the page, and POST api/OPERATION with a request of the service as JSON. It
// answers to requests whose Host names the loopback or one of the hosts, and refuses requests that another site makes.
//
// At most as many requests evaluate at a time as there are processors, twice over; others wait their turn. One that takes longer
// than [MaxTime] is answered with an error of code "limit".
func Handler(hosts ...string) http.Handler {
	page, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is embedded
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page))
	a := &api{turns: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	mux.Handle("POST /api/{op}", http.NewCrossOriginProtection().Handler(a))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !allowed(r.Host, hosts) {
			refuse(w, http.StatusMisdirectedRequest, "this is not %q: girih serve answers to its own address; --host allows another name", r.Host)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		mux.ServeHTTP(w, r)
	})
}

// An api carries out operations of the service, a few at a time.
type api struct{ turns chan struct{} }

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(w, r)
	if err != nil {
		answer(w, http.StatusRequestEntityTooLarge, limit("the request is longer than 2 MiB, or did not arrive"))
		return
	}
	wait := time.NewTimer(maxWait)
	defer wait.Stop()
	select {
	case a.turns <- struct{}{}:
	case <-wait.C:
		answer(w, http.StatusServiceUnavailable, limit("the server is busy with other requests: try again"))
		return
	case <-r.Context().Done():
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), MaxTime)
	defer cancel()
	done := make(chan []byte, 1)
	go func() {
		defer func() {
			<-a.turns // an operation that goes on after its time keeps its turn until it ends
			if p := recover(); p != nil {
				done <- fault("internal", fmt.Sprintf("a defect of girih: %v", p))
			}
		}()
		done <- service.DoWithin(ctx, r.PathValue("op"), body)
	}()
	select {
	case out := <-done:
		if len(out) > maxAnswer {
			out = limit(fmt.Sprintf("the answer has %d bytes, the server sends at most %d: ask for a part of it", len(out), maxAnswer))
		}
		answer(w, http.StatusOK, out)
	case <-ctx.Done():
		answer(w, http.StatusOK, limit("the evaluation takes longer than "+MaxTime.String()+", which is the most the server allows"))
	}
}

// readBody reads a request within the limit of the service.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return io.ReadAll(http.MaxBytesReader(w, r.Body, service.MaxRequest))
}

func answer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body) // a client that is gone needs no answer
}

// limit is a response with an error of that code.
func limit(message string) []byte { return fault("limit", message) }

func fault(code, message string) []byte {
	var r struct {
		OK    bool              `json:"ok"`
		Error service.ErrorInfo `json:"error"`
	}
	r.Error = service.ErrorInfo{Code: code, Message: message}
	out, _ := json.Marshal(r) // strings always encode
	return out
}
