package service_test

import (
	"os"
	"regexp"
	"testing"

	"girih/internal/service"
)

// The version is that of the newest heading of the changelog.
func TestNumber(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - (?:unreleased|\d{4}-\d\d-\d\d)$`).FindSubmatch(text)
	if m == nil || string(m[1]) != service.Number {
		t.Errorf("the changelog begins with %q, the version is %s", m, service.Number)
	}
	if v := service.Version().Version; v != service.Number {
		t.Errorf("Version() has %s", v)
	}
}
