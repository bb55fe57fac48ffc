package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"girih/internal/budget"
	"girih/internal/lang/report"
	"girih/internal/service"
)

// response is what every operation answers.
type response struct {
	OK    bool          `json:"ok"`
	Value string        `json:"value"`
	Error *report.Error `json:"error"`
}

// request sends one request to a handler.
func request(t *testing.T, h http.Handler, method, path, body string, header map[string]string) (int, string, response) {
	t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+path, strings.NewReader(body))
	for k, v := range header {
		if k == "Host" {
			r.Host = v
			continue
		}
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var out response
	json.Unmarshal(w.Body.Bytes(), &out) // the body may be a page instead of a response
	return w.Code, w.Body.String(), out
}

func TestPaths(t *testing.T) {
	t.Parallel()
	h := Handler()
	for path, want := range map[string]int{
		"/": 200, "/app.css": 200, "/app.js": 200, "/?" + strings.Repeat("x", 5000): 200, "/nothing": 404,
		"/../server.go": 301, "/dist/app.js": 404,
		"/%2e%2e/%2e%2e/etc/passwd": 404, "/..%2fserver.go": 404, "/app.js%00": 404, "/api/eval": 404, "/%zz": 0,
		"//evil.example/": 301, "/" + strings.Repeat("a/", 4000): 404,
	} {
		if want == 0 {
			continue // net/http refuses this before the handler is called
		}
		code, body, _ := request(t, h, "GET", path, "", nil)
		if code != want && !(want == 404 && code/100 == 4) && !(want == 301 && code/100 == 3) {
			t.Errorf("GET %.60s = %d %.80s, want %d", path, code, body, want)
		}
	}
	for _, c := range []struct {
		op, body, code string
	}{
		{"nothing", "{}", "name"},
		{"eval", "not JSON", "syntax"},
		{"eval", `{"no":1}`, "name"},
		{"eval", `{"expr":"1"}{}`, "syntax"},
		{"eval", `{"expr":"1/0"}`, "overflow"},
		{"eval%2f..%2fversion", "{}", "name"},
		{strings.Repeat("x", 3000), "{}", "name"},
	} {
		code, body, out := request(t, h, "POST", "/api/"+c.op, c.body, nil)
		if code != 200 || out.OK || out.Error == nil || out.Error.Code != c.code {
			t.Errorf("%.40s %s: %d %.200s, want an error of code %s", c.op, c.body, code, body, c.code)
		}
	}
}

func TestHugeRequest(t *testing.T) {
	t.Parallel()
	h := Handler()
	code, body, out := request(t, h, "POST", "/api/eval", strings.Repeat(" ", service.MaxRequest+1), nil)
	if code != http.StatusRequestEntityTooLarge || out.Error == nil || out.Error.Code != "limit" {
		t.Errorf("too long a request: %d %s", code, body)
	}
	if testing.Short() {
		return
	}
	start := time.Now()
	for op, text := range map[string]string{
		"read": strings.Repeat("(1,2):(3,4) ", 80000), "eval": strings.Repeat("x", 900_000),
		"why": strings.Repeat("error: ", 100_000), "tokens": strings.Repeat("a ", 100_000),
	} {
		field := map[string]string{"read": "text", "why": "text"}[op]
		if field == "" {
			field = "expr"
		}
		request(t, h, "POST", "/api/"+op, fmt.Sprintf("{%q:%q}", field, text), nil)
	}
	t.Logf("huge pastes took %v", time.Since(start))
}

// The server answers after a panic and for an endless operation, and serves other requests meanwhile.
func TestBadOperations(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newAPI(func(ctx context.Context, op string, _ []byte) []byte {
			switch op {
			case "panic":
				panic("a broken table")
			case "hang":
				time.Sleep(time.Hour)
			}
			return []byte(`{"ok":true}`)
		})
		a.memory = budget.NewPool(maxMemory, 0) // its limit has nothing to do with the time that is tested here
		mux := http.NewServeMux()
		mux.Handle("POST /{op}", a)
		turns := 2 * runtime.GOMAXPROCS(0)
		code, body, out := request(t, mux, "POST", "/panic", "", nil)
		if code != 200 || out.Error == nil || out.Error.Code != "internal" {
			t.Errorf("panic: %d %s", code, body)
		}
		start := time.Now()
		for range turns - 1 {
			if _, body, out := request(t, mux, "POST", "/hang", "", nil); out.Error == nil || out.Error.Code != "limit" {
				t.Errorf("hang: %s", body)
			}
		}
		if d, want := time.Since(start), MaxTime*time.Duration(turns-1); d != want {
			t.Errorf("%v for %d that hang, want %v", d, turns-1, want)
		}
		if _, body, out := request(t, mux, "POST", "/fine", "", nil); !out.OK {
			t.Errorf("beside those that hang: %s", body)
		}
		request(t, mux, "POST", "/hang", "", nil) // this request takes the last turn
		if code, body, _ := request(t, mux, "POST", "/fine", "", nil); code != http.StatusServiceUnavailable {
			t.Errorf("without a turn: %d %s", code, body)
		}
		other := httptest.NewRequest("POST", "/fine", nil)
		other.RemoteAddr = "127.0.0.2:5000"
		w := httptest.NewRecorder()
		begun := time.Now()
		if mux.ServeHTTP(w, other); w.Code != http.StatusOK || time.Since(begun) > 0 {
			t.Errorf("another client: %d %s after %v", w.Code, w.Body, time.Since(begun))
		}
		// Another address of the same IPv6 network counts as the same client.
		from := func(address, op string) int {
			r := httptest.NewRequest("POST", op, nil)
			r.RemoteAddr = address
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			return w.Code
		}
		from("[2001:db8::1]:5000", "/hang")
		if code := from("[2001:db8::2]:5000", "/fine"); code != http.StatusServiceUnavailable {
			t.Errorf("another address of a client that has its turn: %d", code)
		}
		time.Sleep(2 * time.Hour)
		if _, body, out := request(t, mux, "POST", "/fine", "", nil); !out.OK {
			t.Errorf("after those that hung: %s", body)
		}
	})
}

// A program of many expensive operations ends with the time of its request; other requests are served
// meanwhile.
func TestSlowProgram(t *testing.T) {
	t.Parallel()
	a := newAPI(service.DoWithin)
	a.time = time.Second
	h := http.NewServeMux()
	h.Handle("POST /api/{op}", a)
	slow := strings.Repeat("image((1024,1024):(1,1024)); ", 1000) // each list is within the limit
	body, err := json.Marshal(map[string]string{"expr": slow})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan response, 1)
	go func() {
		_, _, r := request(t, h, "POST", "/api/eval", string(body), nil)
		done <- r
	}()
	for range 20 {
		if _, out, r := request(t, h, "POST", "/api/eval", `{"expr":"size((4,8))"}`, nil); !r.OK || !strings.Contains(out, `"32"`) {
			t.Fatalf("%s", out)
		}
	}
	if r := <-done; r.Error == nil || r.Error.Code != "limit" || !strings.Contains(r.Error.Message, "takes longer than") {
		t.Errorf("%+v", r)
	}
}

func TestRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newResponseQuota(10)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if !r.acquire(ctx, 100) { // longer than the quota, so it is sent alone
			t.Fatal("a long one does not get in")
		}
		if r.acquire(ctx, 1) {
			t.Error("one gets bytes of a full quota")
		}
		var in sync.WaitGroup
		for range 20 {
			in.Go(func() {
				if !r.acquire(t.Context(), 3) {
					t.Error("one waits for ever")
				}
				time.Sleep(time.Second)
				r.release(3)
			})
		}
		r.release(100)
		in.Wait()
		if r.left != 10 {
			t.Errorf("%d of 10 free after all have left", r.left)
		}
	})
}
