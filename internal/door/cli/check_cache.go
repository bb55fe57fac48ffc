package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"girih/internal/file"
	"girih/internal/service"
	"girih/internal/version"
)

// This file keeps what was found in files, in the user's folder for caches. An entry is for one binary, one path, one
// content and one set of options, and lists the files that a run read with their digests, so that an entry is never
// wrong: it is only missing.

// A checkCache is the folder of the entries; a nil cache keeps nothing.
type checkCache struct {
	dir    string
	binary string // which girih this is

	mu     sync.Mutex
	failed error // why the first entry could not be written
}

// A cacheEntry is what was found.
type cacheEntry struct {
	Uses     map[string]string   `json:"uses,omitempty"` // digests of other files, by name
	Examined service.Examination `json:"examined"`
}

// maxUsed limits the size of a file that a run reads, in bytes.
const maxUsed = 1 << 30

// oldest is the age at which entries are removed that were not used.
const oldest = 30 * 24 * time.Hour

// openCache returns the cache, and removes old entries.
func (k *checkForm) openCache() *checkCache {
	if k.noCache {
		return nil
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return &checkCache{failed: err}
	}
	c := &checkCache{dir: filepath.Join(base, "girih", "check"), binary: version.Current().String()}
	if name, err := os.Executable(); err == nil {
		if info, err := os.Stat(name); err == nil {
			c.binary += fmt.Sprint(" ", info.Size(), " ", info.ModTime().UnixNano())
		}
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		c.failed = err
		return c
	}
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > oldest {
			_ = os.Remove(filepath.Join(c.dir, e.Name())) // it is removed the next time
		}
	}
	return c
}

// digest returns the digest of a text.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// digestOf returns the digest of a file, "" for a file that cannot be read.
func digestOf(content []byte, err error) string {
	if err != nil {
		return ""
	}
	return digest(content)
}

// key returns the name of the entry for a file with that content; "" if none is kept.
func (c *checkCache) key(u checkUnit, text []byte, q *service.SimRequest) string {
	if c == nil || !utf8.ValidString(u.path) { // an entry is JSON, which has no other paths
		return ""
	}
	wd, _ := os.Getwd() // runs open files relative to it
	options := fmt.Sprint(q.Seeds, q.Steps, q.Continue, q.Exhaustive, q.Strict)
	return digest([]byte(strings.Join([]string{c.binary, wd, string(u.kind), u.path, options, digest(text)}, "\x00")))
}

// get returns what was found in a file with that key.
func (c *checkCache) get(key string) (service.Examination, bool) {
	if c == nil || c.dir == "" || key == "" {
		return service.Examination{}, false
	}
	name := filepath.Join(c.dir, key)
	text, err := os.ReadFile(name)
	var e cacheEntry
	if err != nil || json.Unmarshal(text, &e) != nil {
		return service.Examination{}, false
	}
	for other, want := range e.Uses {
		if digestOf(readRegular(other, maxUsed)) != want {
			return service.Examination{}, false
		}
	}
	if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > oldest/30 {
		_ = os.Chtimes(name, time.Time{}, time.Now()) // it is in use
	}
	return e.Examined, true
}

// put keeps what was found. After the first failure nothing more is written.
func (c *checkCache) put(key string, found service.Examination, uses map[string]string) {
	if c == nil || key == "" || c.trouble() != "" {
		return
	}
	text, err := json.Marshal(cacheEntry{uses, found})
	if err == nil {
		err = file.Replace(filepath.Join(c.dir, key), text, 0o600)
	}
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.failed = err
	}
}

// trouble says why nothing is kept; "" if all is well.
func (c *checkCache) trouble() string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		return ""
	}
	return fmt.Sprintf("the next check starts afresh, because the cache cannot be written: %v", c.failed)
}
