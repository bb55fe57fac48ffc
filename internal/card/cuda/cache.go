package cuda

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"girih/internal/file"
)

// A Cache is a folder of cubins, shared by processes: a file is written as a whole or not at all, and a damaged one is
// compiled again. It holds at most [CacheBytes]; the least recently used files are removed first. "" is no cache.
type Cache string

// CacheBytes is the largest size of a [Cache]: some thousand kernels.
const CacheBytes = 1 << 30

// UserCache is the folder girih/cubin of the user's cache, or no cache if the system does not name one.
func UserCache() Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return Cache(filepath.Join(dir, "girih", "cubin"))
}

// file returns the name of the cache file for PTX. The name also depends on the chip, and on the driver, which contains
// the compiler.
func (c Cache) file(ptx, driver, chip string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", driver, chip)
	io.WriteString(h, ptx)
	return filepath.Join(string(c), hex.EncodeToString(h.Sum(nil)))
}

// get returns the cubin of a file, after checking the checksum at the file's beginning. It reads only regular files,
// because a link to a device may have no end or block its reader.
func (c Cache) get(name string) ([]byte, bool) {
	if c == "" {
		return nil, false
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > CacheBytes {
		return nil, false
	}
	b, err := os.ReadFile(name)
	if err != nil || len(b) <= sha256.Size {
		return nil, false
	}
	cubin := b[sha256.Size:]
	now := time.Now()
	_ = os.Chtimes(name, now, now) // marks the file as recently used
	return cubin, sha256.Sum256(cubin) == [sha256.Size]byte(b)
}

// put writes the file. If it cannot be written, the next start compiles again.
func (c Cache) put(name string, cubin []byte) {
	if c == "" || os.MkdirAll(string(c), 0o755) != nil {
		return
	}
	sum := sha256.Sum256(cubin)
	_ = file.Replace(name, append(sum[:], cubin...), 0o644)
	c.trim(CacheBytes)
}

// trim removes files until three quarters of most bytes are left, if there are more than most. Other processes may
// remove the listed files at the same time.
func (c Cache) trim(most int64) {
	entries, err := os.ReadDir(string(c))
	if err != nil {
		return
	}
	sum := int64(0)
	var files []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			sum += info.Size()
		}
	}
	if sum <= most {
		return
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if sum <= most/4*3 {
			return
		}
		_ = os.Remove(filepath.Join(string(c), f.Name()))
		sum -= f.Size()
	}
}

// Build loads PTX: its cubin comes from the cache (cached is true, log is ""), or is compiled, with the compiler's
// messages in log, and put there. PTX that the linker spills may be in the cache as it is.
func (c *Context) Build(ptx string, cache Cache) (m *Module, log string, cached bool, err *Failure) {
	chip, err := c.device.Chip()
	if err != nil {
		return nil, "", false, err
	}
	// Two drivers with the same version of the interface may have different compilers, so the version of the driver
	// from NVML is used.
	driver := c.device.driver.version.String()
	if n, err := LoadNVML(); err == nil {
		driver += " " + n.Version()
	}
	name := cache.file(ptx, driver, chip)
	if cubin, ok := cache.get(name); ok {
		if m, err := c.Load(cubin); err == nil {
			return m, "", true, nil
		}
	}
	image, log, err := c.Compile(ptx)
	if err != nil {
		return nil, "", false, err
	}
	if m, err = c.Load(image); err != nil {
		return nil, "", false, err
	}
	// The linker ignores setmaxnreg, and spills what a thread needs beyond the registers that it begins with. The
	// driver's own compiler does not, but one kernel at a time; the driver keeps what it compiled, too.
	if strings.Contains(ptx, "setmaxnreg") && m.local(ptx) > 0 {
		if whole, messages, err := c.load([]byte(ptx)); err == nil && whole.local(ptx) == 0 {
			_ = m.Close()
			m, log, image = whole, messages, []byte(ptx)
		} else if err == nil {
			_ = whole.Close()
		}
	}
	cache.put(name, image)
	return m, log, false, nil
}
