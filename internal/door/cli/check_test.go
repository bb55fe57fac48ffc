package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"girih/internal/service"
)

// TestMatches checks the patterns of --exclude.
func TestMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"third_party/**", "third_party/a/b.ptx", true},
		{"third_party", "third_party/a/b.ptx", true},
		{"third_party", "x/third_party/b.ptx", true},
		{"third_party/**", "x/third_party/b.ptx", false},
		{"**/third_party/**", "x/third_party/b.ptx", true},
		{"*.cu", "a/b/c.cu", true},
		{"a/*.cu", "a/b.cu", true},
		{"a/*.cu", "a/b/c.cu", false},
		{"a/**/c.cu", "a/b/d/c.cu", true},
		{"b", "a/bc", false},
		{"**", "a", true},
		{"**/b/**/c", "a/b/x/y/c/d", true},
		{"**/b/**/c", "a/b/x/y/d", false},
		{"a/b/c", "a/b", false},
		{strings.Repeat("**/b/", 30) + "a", strings.Repeat("b/", 60) + "c", false}, // without 2^60 steps
	} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("%s of %s: %v", c.pattern, c.name, got)
		}
	}
}

// TestPlan checks which files of a folder are looked at.
func TestPlan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"k.ptx", "k.json", "a.cu", "b.py", "c.txt", ".hidden/a.cu", ".a.cu", "node_modules/a.cu", "build/k.ptx",
		"left/out/a.cu", "deep/er/girih.toml", "deep/large.h",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Truncate(filepath.Join(dir, "deep", "large.h"), maxCheckFile+1); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "deep", "again")); err != nil {
		t.Log(err)
	}
	p := newPlan(&checkSettings{Exclude: []string{"left"}}, []string{dir, filepath.Join(dir, "c.txt"), filepath.Join(dir, "none")})
	var got []string
	for _, u := range p.units {
		name, _ := filepath.Rel(dir, u.path)
		got = append(got, filepath.ToSlash(name)+" "+string(u.kind))
	}
	want := []string{"a.cu source", "b.py source", "c.txt source", "deep/er/girih.toml settings", "k.json run", "k.ptx ptx"}
	if !slices.Equal(got, want) || len(p.failed) != 1 || len(p.notes) != 1 {
		t.Errorf("%q, want %q; failed %v, notes %q", got, want, p.failed, p.notes)
	}
}

// TestRelative checks that paths are relative to the current folder, and which paths an argument covers.
func TestRelative(t *testing.T) {
	t.Parallel()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(wd, "a", "b.cu"): "a/b.cu", wd: ".", "a/../b.cu": "b.cu", "../b.cu": "../b.cu",
		filepath.Join(wd, "..", "x.cu"): filepath.ToSlash(filepath.Join(filepath.Dir(wd), "x.cu")),
	} {
		if got := withSlashes(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := folderInRepository(); got != "" && got != "internal/door/cli" {
		t.Errorf("%s", got)
	}
	for _, c := range []struct {
		given, name string
		want        bool
	}{
		{".", "a/b.cu", true},
		{".", "../b.cu", false},
		{"a", "a/b.cu", true},
		{"a/", "a/b.cu", true},
		{"a", "ab.cu", false},
		{"a/b.cu", "a/b.cu", true},
		{wd, "a/b.cu", true},
		{"/", "/a.cu", true},
		{"..", "../b.cu", true},
	} {
		if got := covers([]string{"none", c.given}, c.name); got != c.want {
			t.Errorf("%s of %s: %v", c.given, c.name, got)
		}
	}
}

// TestPlanLink checks that a link to a folder that the user names is that folder.
func TestPlanLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.cu"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	p := newPlan(new(checkSettings), []string{link})
	if len(p.units) != 1 || p.units[0].path != withSlashes(filepath.Join(link, "a.cu")) {
		t.Errorf("%+v", p.units)
	}
}

// TestSettingsOfAnotherKind checks that settings which are no file are refused and not waited for.
func TestSettingsOfAnotherKind(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir(settingsFile, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := readSettings(""); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("%v", err)
	}
}

// TestDeepSettings checks that settings of any depth are read or refused.
func TestDeepSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, part string }{{"exclude = ", "["}, {"exclude = ", "{a="}, {"", "a."}, {"[", "a."}} {
		text := c.before + strings.Repeat(c.part, 1000)
		if _, err := parseSettings(text); err == nil || !strings.Contains(err.Error(), " deep") {
			t.Errorf("%.20s: %v", text, err)
		}
	}
}

// TestSettingsThatCheckNothing checks that a layout without an assertion, and the reverse, are mistakes.
func TestSettingsThatCheckNothing(t *testing.T) {
	t.Parallel()
	const right = "[[layout]]\nlayout = '8:1'\nassert = ['golden']\n"
	for _, wrong := range []string{"[[layout]]\n", "[[layout]]\nlayout = '8:1'\nassert = []", "[[layout]]\nassert = ['golden']"} {
		if _, err := parseSettings(right + wrong); err == nil || !strings.Contains(err.Error(), "[[layout]] 2") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	if _, err := parseSettings(right); err != nil {
		t.Error(err)
	}
}

// TestCacheKey checks that nothing is kept for a path that JSON cannot have: it would come back as another path.
func TestCacheKey(t *testing.T) {
	t.Parallel()
	c := &checkCache{dir: t.TempDir()}
	key := c.key(checkUnit{path: "\xff.cu"}, nil, new(service.SimRequest))
	c.put(key, service.Examination{}, nil)
	if _, ok := c.get(key); ok || key != "" || c.trouble() != "" {
		t.Errorf("key %q, %s", key, c.trouble())
	}
}

// endless is a kernel that counts to 2^32, and a run of it.
const (
	endless = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n.reg .u32 %r; .reg .pred %p;\n" +
		"mov.u32 %r, 0;\nL: add.u32 %r, %r, 1; setp.ne.u32 %p, %r, 0; @%p bra L;\nret;\n}\n"
	endlessRun = `{"ptx": "k.ptx", "block": 32}`
)

// TestInterrupted checks that an interrupted check returns what it has without waiting for a run. It sets the folder of
// the cache, so it is not parallel.
func TestInterrupted(t *testing.T) {
	home, err := os.MkdirTemp("", "girih-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for os.RemoveAll(home) != nil { // a worker may still write an entry
			time.Sleep(time.Millisecond)
		}
	})
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, home)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"k.ptx": endless, "k.json": endlessRun, "l.json": endlessRun,
		"a.cu": "__shared__ float t[32][32]; // girih: conflict-free f32 ld by rows",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ops := service.Operations()
	c := newCommand(ops[slices.IndexFunc(ops, func(op service.Operation) bool { return op.Name == "check" })])
	k := &checkForm{simForm: &simForm{c: c, q: &service.SimRequest{Steps: 1 << 40}}}
	ctx, cancel := context.WithCancel(t.Context())
	plan := newPlan(&checkSettings{}, []string{dir})
	got := make(chan *checkOutcome, 1)
	go func() { got <- k.carryOut(ctx, plan) }()
	cache := k.openCache().dir
	for {
		if entries, err := os.ReadDir(cache); err != nil || len(entries) > 0 {
			break // a.cu is checked, and a run comes next
		}
		time.Sleep(time.Millisecond)
	}
	cancel() // without it there is no outcome, because no run ends
	o := <-got
	if !o.interrupted || o.Left < 2 || len(o.Files)+o.Left != len(plan.units) {
		t.Errorf("%+v of %d", o.Report, len(plan.units))
	}
}
