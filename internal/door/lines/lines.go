package lines

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"girih/internal/budget"
	"girih/internal/lang/report"
	"girih/internal/service"
	"girih/internal/version"
)

// Protocol is the number of the protocol. It changes if a client of the old one would misread the new one.
const Protocol = 1

// MaxLine limits a request, in bytes: several operations of the longest programs.
const MaxLine = 64 << 20

// maxHeap limits the heap while several requests run, in bytes.
const maxHeap = 2 * service.MaxAlone

// A Host gives the server what a program on the same machine may ask for.
type Host struct {
	// Open reads a file that a request names. It refuses files of more than most bytes.
	Open func(name string, most int64) ([]byte, error)
	// Explore serves the explorer until the context ends, and returns its address. It is nil if there is no explorer.
	Explore func(ctx context.Context) (url string, err error)
}

// A greeting is the first line of the server.
type greeting struct {
	Girih string `json:"girih"` // the version
	Lines int    `json:"lines"` // the version of the protocol
}

// A request is a line of the client. One with Each carries out the operation once for each of the arguments.
type request struct {
	ID     int64             `json:"id"`
	Do     string            `json:"do"`
	With   json.RawMessage   `json:"with"`
	Each   []json.RawMessage `json:"each"`
	Words  bool              `json:"words"`  // whether the response also contains the answer in words
	Folder string            `json:"folder"` // the folder of the files that the request names; "" for the server's folder
	Cancel bool              `json:"cancel"` // ends the request with this ID, which is then answered with an error
}

// A reply answers a request.
type reply struct {
	ID int64 `json:"id"`
	*service.Told
	Answers []json.RawMessage `json:"answers,omitempty"` // the answers to a request with Each
}

// A server answers the requests of one client.
type server struct {
	host   Host
	memory *budget.Pool

	mu      sync.Mutex
	running map[int64]context.CancelFunc
	url     string // the address of the explorer; "" before the first request for it

	writing sync.Mutex // held while a line is written
	out     io.Writer
	broken  error // the reason why nothing more is written
}

// Serve answers requests until the input or the context ends. Requests are carried out at the same time, and each is
// answered when it is done. At the end of the input those under way end without an answer.
func Serve(ctx context.Context, in io.Reader, out io.Writer, host Host) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{
		host: host, memory: budget.NewPool(service.MaxAlone, maxHeap), running: map[int64]context.CancelFunc{}, out: out,
	}
	s.write(greeting{version.Number, Protocol})
	input := bufio.NewScanner(in)
	input.Buffer(make([]byte, 1<<16), MaxLine)
	for ctx.Err() == nil && input.Scan() {
		s.take(ctx, bytes.Clone(input.Bytes()))
	}
	if errors.Is(input.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("expected lines of at most %d bytes, found a longer one", MaxLine)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return errors.Join(input.Err(), s.broken)
}

// take begins to answer a line, or cancels a request.
func (s *server) take(ctx context.Context, line []byte) {
	var q request
	if err := json.Unmarshal(line, &q); err != nil {
		s.write(reply{Told: refuse("syntax", "expected a request as JSON on one line: "+err.Error())})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	cancel := s.running[q.ID]
	switch {
	case q.Cancel && cancel != nil:
		cancel()
	case q.Cancel: // the request has already been answered
	case cancel != nil:
		s.write(reply{ID: q.ID, Told: refuse("syntax", fmt.Sprintf("the id %d belongs to a request under way", q.ID))})
	default:
		within, end := context.WithCancel(ctx)
		s.running[q.ID] = end
		go s.answer(ctx, within, q)
	}
}

// answer carries out a request within a context, and writes the reply. The explorer lives as long as the server.
func (s *server) answer(server, within context.Context, q request) {
	r := reply{ID: q.ID}
	switch {
	case q.Do == "explore":
		r.Told = s.explore(server)
	case q.Each != nil:
		r.Answers = s.each(within, q)
	default:
		r.Told = s.do(within, q, q.With)
	}
	s.mu.Lock()
	s.running[q.ID]()
	delete(s.running, q.ID) // the client may use the ID again as soon as it has the reply
	s.mu.Unlock()
	s.write(r)
}

// each carries out an operation for each of the arguments, on all processors.
func (s *server) each(ctx context.Context, q request) []json.RawMessage {
	answers := make([]json.RawMessage, len(q.Each))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(answers)); i = next.Add(1) - 1 {
				answers[i] = s.do(ctx, q, q.Each[i]).Answer
			}
		})
	}
	workers.Wait()
	return answers
}

// do carries out an operation. A panic is answered as an error.
func (s *server) do(ctx context.Context, q request, with json.RawMessage) (told *service.Told) {
	b := s.memory.Budget(ctx, service.MaxAlone)
	defer func() {
		b.Close()
		if p := recover(); p != nil {
			told = refuse("internal", fmt.Sprintf("a defect of girih: %v", p))
		}
	}()
	t := service.Script{Open: s.opener(q.Folder)}.Do(budget.With(ctx, b), q.Do, with, service.Words(q.Words))
	return &t
}

// opener opens the files of a request, whose names are relative to a folder.
func (s *server) opener(folder string) func(name string, most int64) ([]byte, error) {
	if folder == "" || s.host.Open == nil {
		return s.host.Open
	}
	return func(name string, most int64) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(folder, name)
		}
		return s.host.Open(name, most)
	}
}

// explore opens the explorer, once.
func (s *server) explore(ctx context.Context) *service.Told {
	if s.host.Explore == nil {
		return refuse("unsupported", "this girih has no explorer")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.url == "" {
		url, err := s.host.Explore(ctx)
		if err != nil {
			return refuse("limit", err.Error())
		}
		s.url = url
	}
	text, _ := json.Marshal(map[string]any{"ok": true, "url": s.url}) // strings always encode
	return &service.Told{Answer: text}
}

// refuse is an answer that is an error.
func refuse(code, message string) *service.Told {
	e := report.Error{Code: code, Message: message, Pos: -1}
	text, _ := json.Marshal(map[string]any{"ok": false, "error": e}) // strings always encode
	return &service.Told{Answer: text, Text: e.Report("", 0), Refused: true}
}

// write writes a value as a line. After an error nothing more is written: a line may be there in part.
func (s *server) write(v any) {
	text, err := json.Marshal(v)
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.broken != nil {
		return
	}
	if err == nil {
		_, err = s.out.Write(append(text, '\n'))
	}
	s.broken = err
}
