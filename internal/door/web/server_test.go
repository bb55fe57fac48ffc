package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"girih/internal/door/web"
)

// serve starts a server on a free port and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	s, err := web.Listen(web.Options{Addr: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s.URLs()[0]
}

type answer struct {
	OK    bool `json:"ok"`
	Value string
	Error struct{ Code, Message string }
}

// post asks for an operation and returns the status and the answer.
func post(t *testing.T, h http.Handler, op, body string, header ...string) (int, answer) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "http://localhost/api/"+op, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		} else {
			r.Header.Set(header[i], header[i+1])
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var a answer
	if w.Header().Get("Content-Type") == "application/json" {
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
			t.Fatalf("%s: %v", w.Body, err)
		}
	}
	return w.Code, a
}

func TestPage(t *testing.T) {
	t.Parallel()
	h := web.Handler()
	for path, want := range map[string]string{
		"/":       `<meta property="og:image" content="preview.png">`,
		"/app.js": "girih", "/app.css": "--accent", "/preview.png": "PNG", "/glossary.json": "quadpair", "/zh.json": "下一步",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d without %q", path, w.Code, want)
		}
		if p := w.Header().Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "http:") {
			t.Errorf("%s: the policy is %q", path, p)
		}
	}
	for _, path := range []string{
		"/../handler.go", "/..%2f..%2fetc/passwd", "/nothing", "/%00", "/api/eval", "//evil.com/", "/.git/config",
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/", nil)
		r.URL.Path = path
		h.ServeHTTP(w, r)
		if w.Code == http.StatusOK {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestHosts(t *testing.T) {
	t.Parallel()
	h := web.Handler("gpu.example")
	for host, want := range map[string]int{
		"localhost": 200, "localhost:80": 200, "127.0.0.1:7777": 200, "[::1]:7777": 200, "gpu.example:7777": 200,
		"GPU.example": 200, "localhost.": 200, "LocalHost.:80": 200, "[::1]": 200, "gpu.example.": 200,
		"localhost]": 421, "[localhost]": 421, "[[localhost]]": 421, "[localhost": 421, "[127.0.0.1]": 421, "::1": 421,
		"[::1": 421, "[::1]x": 421,
		"localhost:": 200, "localhost:x": 421, "localhost:80:80": 421, "localhost..": 421, ".": 421, "user@localhost": 421,
		"0.0.0.0": 421, "127.1": 421,
		"evil.com": 421, "localhost.evil.com": 421, "": 421, "127.0.0.1.evil.com:80": 421, "gpu.example.evil.com": 421,
		"10.0.0.1": 421,
	} {
		if code, _ := post(t, h, "eval", `{"expr":"4:1"}`, "Host", host); code != want {
			t.Errorf("host %q: %d, want %d", host, code, want)
		}
	}
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	h := web.Handler()
	for _, c := range []struct {
		header []string
		want   int
	}{
		{nil, 200},
		{[]string{"Sec-Fetch-Site", "same-origin", "Origin", "http://localhost"}, 200},
		{[]string{"Origin", "http://localhost"}, 200},
		{[]string{"Sec-Fetch-Site", "cross-site", "Origin", "http://evil.com"}, 403},
		{[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Origin", "http://evil.com"}, 403},
		{[]string{"Origin", "null"}, 403},
	} {
		if code, _ := post(t, h, "eval", `{"expr":"4:1"}`, c.header...); code != c.want {
			t.Errorf("%v: %d, want %d", c.header, code, c.want)
		}
	}
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	long := 1 << 20
	if testing.Short() {
		long = 1 << 14 // with the race detector regular expressions take twenty times as long
	}
	h := web.Handler()
	for _, c := range []struct {
		op, body string
		status   int
		code     string
	}{
		{"eval", "{", 200, "syntax"},
		{"nothing", "{}", 200, "name"},
		{"eval", `{"expr":{}}`, 200, "type"},
		{"eval", `{"expr":"` + strings.Repeat("(", 200_000) + `"}`, 200, ""},
		{"eval", `{"expr":"` + strings.Repeat("1+", 400_000) + `1"}`, 200, ""},
		{"inspect", `{"expr":"(1048576,1048576,1048576)"}`, 200, ""},
		{"draw", `{"expr":"(4,8)","format":"bmp"}`, 200, "syntax"},
		{"why", `{"text":"` + strings.Repeat("x", long) + `"}`, 200, "syntax"},
		{"read", "\x00\xff", 200, "syntax"},
		{"eval", `{"expr":"image((4096,1024):(1,4096))"}`, 200, "limit"},
		{"eval", `{"expr":"size(image((512,512):(1,512)))"}`, 200, "type"},
		{"eval", `{"expr":"` + strings.Repeat("4", 5<<20) + `"}`, 413, "limit"},
	} {
		status, a := post(t, h, c.op, c.body)
		if status != c.status || c.code != "" && a.Error.Code != c.code || !a.OK && a.Error.Message == "" {
			t.Errorf("%s %.40s: %d %+.200v", c.op, c.body, status, a)
		}
	}
}

// 200 clients ask 10,000 times in all; nothing fails, and the memory stays bounded.
func TestLoad(t *testing.T) {
	clients, requests := 200, 10_000
	if testing.Short() {
		clients, requests = 50, 500
	}
	url := serve(t)
	ask := [][3]string{
		{"eval", `{"expr":"(6,2):(8,2) o (4,3):(3,1)"}`, `((2,2),3):((24,2),8)`},
		{"inspect", `{"expr":"Sw<3,3,3> o 0 o (8,64):(64,1)","type":"f16"}`, `"offset":[`},
		{"bank", `{"expr":"(8,64):(64,1)","type":"f16","accesses":["ldmatrix.x4"]}`, `"degree":8`},
		{"explain", `{"expr":"complement((2,2):(1,6), 24)"}`, `"steps"`},
		{"eval", `{"expr":"(6,2):(1,7) o (3,2):(2,3)"}`, `not_representable`},
		{"draw", `{"expr":"(8,8):(8,1)"}`, `<svg`},
		{"complete", `{"expr":"comp","cursor":4}`, `composition`},
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: time.Minute}
	var next, failed atomic.Int64
	var most uint64
	stop := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for {
				n := next.Add(1)
				if n > int64(requests) {
					return
				}
				q := ask[n%int64(len(ask))]
				err := one(client, url+"api/"+q[0], q[1], q[2])
				for tries := 1; errors.Is(err, errOverdue) && tries < 5; tries++ {
					err = one(client, url+"api/"+q[0], q[1], q[2])
				}
				if err != nil && failed.Add(1) < 5 {
					t.Errorf("%s: %v", q[0], err)
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	<-watched
	client.CloseIdleConnections()
	if n := failed.Load(); n > 0 {
		t.Errorf("%d of %d requests failed", n, requests)
	}
	if most > 512<<20 {
		t.Errorf("the heap had %d MiB in use", most>>20)
	}
	t.Logf("%d requests of %d clients; the heap had at most %d MiB in use", requests, clients, most>>20)
}

// errOverdue says that the server ended a request at its time limit. A machine that stands still for so long, as busy
// ones do, makes any request overdue, and its client asks again.
var errOverdue = errors.New("the request was overdue")

func one(c *http.Client, url, body, want string) error {
	r, err := c.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	out, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if r.StatusCode != http.StatusOK ||
		!bytes.Contains(out, []byte(want)) && !bytes.Contains(out, []byte(strings.ReplaceAll(want, "<", `\u003c`))) {
		if bytes.Contains(out, []byte("the evaluation takes longer than")) {
			return errOverdue
		}
		return fmt.Errorf("%d %.200s", r.StatusCode, out)
	}
	return nil
}

// A connection without a request, such as browsers open in advance, does not make the server end with an
// error.
func TestEndWithOpenConnection(t *testing.T) {
	t.Parallel()
	s, err := web.Listen(web.Options{Addr: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	u, err := url.Parse(s.URLs()[0])
	if err != nil {
		t.Fatal(err)
	}
	silent, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if r, err := http.Get(s.URLs()[0]); err != nil { // the server has accepted both
		t.Error(err)
	} else {
		r.Body.Close()
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := silent.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the connection is still open: %v", err)
	}
}
