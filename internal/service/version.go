package service

import (
	"runtime"
	"runtime/debug"
)

// A VersionInfo says which girih this is.
type VersionInfo struct {
	Version  string `json:"version"`            // of the module; "(devel)" if it was not built from a tagged commit
	Revision string `json:"revision,omitempty"` // the commit
	Time     string `json:"time,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"` // the tree had changes that are not in the commit
	Go       string `json:"go"`
	Platform string `json:"platform"` // operating system and architecture
}

// Version returns what the Go linker recorded.
func Version() VersionInfo {
	v := VersionInfo{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
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

// String returns the version on one line.
func (v VersionInfo) String() string {
	s := "girih " + v.Version
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
