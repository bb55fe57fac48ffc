// Package version says which girih a binary is.
package version

import (
	"runtime"
	"runtime/debug"
)

// Number is the version of girih, by https://semver.org: the newest heading of CHANGELOG.md.
const Number = "0.1.0"

// The commit and its time, RFC 3339, if the linker sets them (-X), as .ci/release does: the go command records them
// only in builds with -buildvcs.
var commit, commitTime string

// Info says which girih this is.
type Info struct {
	Version  string `json:"version"`            // the version of girih, by semver
	Revision string `json:"revision,omitempty"` // the commit
	Time     string `json:"time,omitempty"`     // the time of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"` // the tree had changes that are not in the commit
	Go       string `json:"go"`
	Platform string `json:"platform"` // operating system and architecture
}

// Current returns the version, and what the build recorded.
func Current() Info {
	v := Info{Version: Number, Revision: commit, Time: commitTime, Go: runtime.Version(), Platform: runtime.GOOS + "/" +
		runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok || commit != "" {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String returns the version on one line: "0.1.0 (0123456789ab, 2026-11-20T18:40:33Z) go1.26 linux/amd64".
func (v Info) String() string {
	s := v.Version
	if v.Revision != "" {
		s += " (" + v.Revision[:min(len(v.Revision), 12)]
		if v.Time != "" {
			s += ", " + v.Time
		}
		if v.Modified {
			s += ", modified"
		}
		s += ")"
	}
	return s + " " + v.Go + " " + v.Platform
}
