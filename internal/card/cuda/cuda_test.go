package cuda

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"girih/fault"
)

// Each function has its own name: an entry without one would be looked up as "".
func TestSymbols(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for e, name := range symbols {
		if !strings.HasPrefix(name, "cu") || seen[name] {
			t.Errorf("entry %d is %q", e, name)
		}
		seen[name] = true
	}
}

func TestOldDriver(t *testing.T) {
	t.Parallel()
	d := &Driver{version: 11080}
	for e := range d.addr {
		d.addr[e] = 1
	}
	d.addr[cuFuncGetParamInfo] = 0
	if err := d.complete(); err != nil {
		t.Fatalf("a driver without a function that may be missing: %v", err)
	}
	d.addr[cuTensorMapEncodeTiled] = 0
	e := d.complete()
	if e == nil || e.Code != fault.OldDriver || !strings.Contains(e.Message, "11.8 and no cuTensorMapEncodeTiled; version 12.0") {
		t.Fatalf("got %v", e)
	}
}

func TestNoLibrary(t *testing.T) {
	t.Parallel()
	if _, err := openFirst([]string{"/nonexistent/libnone.so.1", "/nonexistent/libnone.so.2"}); err == nil ||
		strings.Contains(err.Error(), "libnone.so.2") {
		t.Fatalf("got %v, want the error of the first name", err)
	}
	if _, err := openFirst(nil); err == nil {
		t.Fatal("no name was found")
	}
}

// The reason of a failure names the file even if other goroutines run. The reason was once lost when a goroutine moved
// to another thread.
func TestReasonOfNoLibrary(t *testing.T) {
	t.Parallel()
	if len(nvmlFiles) == 0 {
		t.Skip("no libraries are opened on this system")
	}
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for j := range 1000 {
				name := fmt.Sprintf("/nonexistent/libnone%d.so.%d", i, j)
				if _, err := open(name); err == nil || runtime.GOOS == "linux" && !strings.Contains(err.Error(), name) {
					t.Errorf("%s: %q", name, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Without a driver the error says so; with one there is a version.
func TestLoad(t *testing.T) {
	t.Parallel()
	d, err := Load()
	if err != nil {
		if err.Code == "" || err.Message+err.Call == "" {
			t.Fatalf("got %#v", err)
		}
		t.Skip(err.Message)
	}
	if d.Version() < Required {
		t.Errorf("version %s", d.Version())
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	d := &Driver{}
	want := Failure{Code: fault.OutOfMemory, Call: "cuMemAlloc_v2", Status: 2, Hint: meanings[2].hint}
	if e := d.check(cuMemAlloc, 2); *e != want || e.Hint == "" {
		t.Errorf("got %+v, want %+v", *e, want)
	}
	for _, status := range []int32{701, 720, 912} {
		if e := d.check(cuLaunchKernelEx, status); e.Code != fault.Launch || e.Hint == "" {
			t.Errorf("status %d: code %s, hint %q", status, e.Code, e.Hint)
		}
	}
	if err := d.check(cuInit, 0); err != nil {
		t.Error(err.Code)
	}
	for _, status := range []int32{46, 802, 999} {
		if e := d.check(cuInit, status); e.Code != fault.Failed || e.Hint == "" {
			t.Errorf("status %d: code %s, hint %q", status, e.Code, e.Hint)
		}
	}
	if e := d.check(cuInit, 9999); e.Code != fault.Failed {
		t.Errorf("an unknown status has the code %s", e.Code)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	c := Cache(filepath.Join(t.TempDir(), "a", "b"))
	name := c.file("ptx", "13.0", "sm_90")
	for _, other := range []string{c.file("ptx ", "13.0", "sm_90"), c.file("ptx", "13.1", "sm_90"), c.file("ptx", "13.0", "sm_100")} {
		if other == name {
			t.Fatal("two builds have one file")
		}
	}
	if _, ok := c.get(name); ok {
		t.Fatal("found in an empty cache")
	}
	c.put(name, []byte("cubin"))
	c.put(name, []byte("cubin")) // another process may do this
	if got, ok := c.get(name); !ok || !bytes.Equal(got, []byte("cubin")) {
		t.Fatalf("got %q, %v", got, ok)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, b[:10], b[:len(b)-1], append(bytes.Clone(b), 0)} {
		if err := os.WriteFile(name, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok := c.get(name); ok {
			t.Errorf("a damaged file of %d bytes gave %q", len(damaged), got)
		}
	}
	for _, other := range []string{os.DevNull, t.TempDir(), "/dev/zero", name + " that is missing"} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(other, name); err != nil {
			t.Logf("no links here: %v", err)
			break
		}
		if got, ok := c.get(name); ok {
			t.Errorf("a link to %s gave %q", other, got)
		}
		c.put(name, []byte("cubin")) // must fail, because the name is not a file
	}
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	// Processes and goroutines share the cache. If a file is found, it must be complete.
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				c.put(name, []byte("cubin"))
				if got, ok := c.get(name); ok && !bytes.Equal(got, []byte("cubin")) {
					t.Errorf("with others writing: %q", got)
				}
				c.trim(0)
			}
		})
	}
	wg.Wait()
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	// An empty cache name, or a cache whose folder cannot be made, stores nothing and reports no error.
	for _, c := range []Cache{"", Cache(filepath.Join(name, "below a file"))} {
		c.put(c.file("x", "", ""), []byte("y"))
		if _, ok := c.get(c.file("x", "", "")); ok {
			t.Errorf("cache %q has stored a file", c)
		}
	}
}

// TestCacheTrim checks that the least recently used files are removed until three quarters are left.
func TestCacheTrim(t *testing.T) {
	t.Parallel()
	c := Cache(t.TempDir())
	names := make([]string, 8)
	start := time.Now().Add(-time.Hour)
	for i := range names {
		names[i] = c.file(strconv.Itoa(i), "13.0", "sm_90")
		c.put(names[i], make([]byte, 100-sha256.Size))
		at := start.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(names[i], at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := c.get(names[0]); !ok { // now the most recently used
		t.Fatal("a file is missing")
	}
	c.trim(800) // the size of all files
	for i, left := range []bool{true, false, false, false, true, true, true, true} {
		if i == 1 {
			c.trim(799)
		}
		if _, err := os.Stat(names[i]); (err == nil) != left {
			t.Errorf("file %d: %v, want it there: %v", i, err, left)
		}
	}
	Cache(filepath.Join(t.TempDir(), "none")).trim(1)
}
