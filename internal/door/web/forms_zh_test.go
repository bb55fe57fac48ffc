package web_test

import (
	"encoding/json"
	"testing"

	"girih/internal/service"
)

// zh_forms.json has Chinese words for each text of a form, and for nothing else.
func TestFormWords(t *testing.T) {
	t.Parallel()
	var zh map[string]string
	decode(t, "ui/lang/zh_forms.json", &zh)
	var forms []service.FormInfo
	if err := json.Unmarshal(new(service.Session).Do("forms", []byte("{}")), &forms); err != nil {
		t.Fatal(err)
	}
	said, missing := map[string]bool{"": true}, []string{}
	say := func(text string) {
		if !said[text] && zh[text] == "" {
			missing = append(missing, text)
		}
		said[text] = true
	}
	for _, f := range forms {
		say(f.Subject)
		say(f.Title)
		say(f.Doc)
		for _, x := range f.Fields {
			say(x.Doc)
		}
	}
	if len(missing) > 0 {
		t.Errorf("without Chinese words: %q", missing)
	}
	for text := range zh {
		if !said[text] {
			t.Errorf("no form says %q", text)
		}
	}
}
