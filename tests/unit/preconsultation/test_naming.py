import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.preconsultation.diseases import disease_named, disease_table, known_names, means
from tasks.preconsultation.naming import Known, Names, Placement

DISEASES = (
    "COPD",
    "Heart failure",
    "Irritable Bowel Syndrome with Constipation, IBS-C",
    "당뇨병 (Diabetes)",
)

REMEDY = ": name the right one in a file of --aliases"


@pytest.mark.parametrize(
    ("spelling", "disease", "how"),
    [
        ("COPD", "COPD", "exact"),
        ("heart  FAILURE", "Heart failure", "repaired"),
        ("Heart failure.", "Heart failure", "repaired"),
        ("Chronic Obstructive Pulmonary Disease (COPD)", "COPD", "repaired"),
        ("Bowel trouble (IBS\u2011C)", DISEASES[2], "repaired"),
        ("Diabetes", "당뇨병 (Diabetes)", "repaired"),
        ("당뇨병", "당뇨병 (Diabetes)", "repaired"),
        ("Ｄｉａｂｅｔｅｓ", "당뇨병 (Diabetes)", "repaired"),  # noqa: RUF001 - full width
        ("Sugar sickness", "당뇨병 (Diabetes)", "alias"),
    ],
)
def test_a_spelling_finds_its_disease_by_the_rule(spelling: str, disease: str, how: str):
    placed = Names(DISEASES, {"sugar sickness": "diabetes"}).place(spelling)
    assert (placed.disease, placed.how, placed.reason) == (disease, how, "")


def test_a_spelling_is_never_found_by_a_part_of_a_word_or_phrase():
    placed = Names(("Stroke", "Heart failure")).place("Heat stroke")
    assert placed.reason == f"the disease name fits no disease of the guidelines{REMEDY}"


def test_a_spelling_that_fits_two_diseases_is_refused():
    placed = Names(("Lung Cancer (LC)", "Liver Cancer (LC)")).place("LC")
    assert placed.reason == f"the disease name fits 2 diseases of the guidelines{REMEDY}"


def test_an_alias_tells_which_of_two_diseases_is_meant():
    diseases = ("Lung Cancer (LC)", "Liver Cancer (LC)")
    placed = Names(diseases, {"lc": "Liver Cancer"}).place("LC")
    assert (placed.disease, placed.how) == ("Liver Cancer (LC)", "alias")


def test_an_alias_of_the_whole_name_wins_over_a_part_of_it():
    names = Names(("Asthma", "COPD"), {"Asthma, COPD type": "COPD"})
    assert names.place("Asthma, COPD type").disease == "COPD"
    assert names.place("Asthma, mixed").disease == "Asthma"
    assert names.place("ASTHMA").how == "repaired"


@pytest.mark.parametrize(
    "spelling",
    ["Sepsis, acute", "Sepsis (Acute)", "Sepsis, type 2", "Sepsis (type II)", "패혈증, 급성"],
)
def test_what_only_qualifies_a_name_places_nothing(spelling: str):
    names = Names(("Hepatitis, acute", "Diabetes, type 2", "Glycogenosis, type II", "간염 (급성)"))
    assert names.place(spelling).disease == ""
    assert not means(spelling, "Hepatitis, acute")


def test_an_alias_that_leads_nowhere_is_told_from_a_name_without_one():
    placed = Names(("Stroke",), {"Brain attack": "Strok"}, (Known(("Brain attack", "Asthma")),))
    assert placed.place("Brain attack").reason == (
        f"the disease that the alias of its name leads to is none of the guidelines{REMEDY}"
    )


def test_the_name_letter_for_letter_wins_over_its_parts():
    names = Names(("Stroke", "Brain attack (Stroke)"))
    assert names.place("Stroke").disease == "Stroke"
    assert names.place("STROKE").disease == "Stroke"


@given(st.text(max_size=40))
def test_any_text_is_placed_or_refused_with_a_reason(text: str):
    placed = Names(DISEASES).place(text)
    assert (placed.disease in DISEASES) != bool(placed.reason)


def test_the_table_has_26_diseases_with_chapter_and_specialties():
    rows = disease_table().diseases
    assert len({row.name for row in rows}) == 26
    assert all(row.chapter[:2].isdigit() and row.specialty and row.code for row in rows)
    assert disease_table().provenance


def test_no_name_of_the_table_belongs_to_two_diseases():
    names = [name.casefold() for row in disease_table().diseases for name in row.names]
    assert len(set(names)) == len(names)


def test_every_name_of_the_table_finds_its_own_row():
    for row in disease_table().diseases:
        for name in row.names:
            found = disease_named(name)
            assert found is not None
            assert found.name == row.name, name


def test_a_disease_that_is_not_in_the_table_has_no_row():
    assert disease_named("Gout") is None


@pytest.mark.parametrize(
    ("diagnosis", "disease", "right"),
    [
        ("asthma", "Asthma", True),
        ("Bronchial asthma", "Asthma", True),
        ("Type 2 diabetes mellitus", "Diabetes", True),
        ("Irritable bowel syndrome", "Irritable Bowel Syndrome with Constipation, IBS-C", True),
        ("SLE", "전신 홍반성 루푸스 (Systemic Lupus Erythematosus)", True),
        ("Heart failure (CHF)", "Heart failure", True),
        ("Ischemic stroke", "뇌졸중 (Stroke)", True),
        ("COPD", "Asthma", False),
        ("Lung infection", "Lung Cancer", False),
        ("Gout", "Gout", True),
    ],
)
def test_synonyms_wider_and_narrower_terms_name_the_disease(
    diagnosis: str, disease: str, right: bool
):
    assert means(diagnosis, disease) is right


def test_known_names_lead_to_the_diseases_of_both_languages():
    english, korean = (Names((name,), known=known_names()) for name in ("Stroke", "뇌졸중"))
    assert english.place("CVA").disease == "Stroke"
    assert korean.place("cerebrovascular accident").disease == "뇌졸중"


def test_a_users_alias_comes_before_the_shipped_one():
    names = Names(
        ("Stroke", "Asthma"), {"brain attack": "Asthma"}, (Known(("Brain Attack", "Stroke")),)
    )
    assert names.place("Brain attack") == Placement("Asthma", "alias")


def test_guidelines_may_have_any_name_that_the_table_knows():
    names = Names(("Adult-onset diabetes", "Diabetes mellitus"), known=known_names())
    for spelling in ("Diabetes", "당뇨", "DM", "type 2 diabetes"):
        assert names.place(spelling) == Placement("Diabetes mellitus", "alias")
    alias = Names(("Cerebrovascular accident",), {"Brain attack": "Stroke"}, known_names())
    assert alias.place("brain-attack") == Placement("Cerebrovascular accident", "alias")


@pytest.mark.parametrize(
    ("spelling", "disease"),
    [
        ("ACUTE-KIDNEY-INJURY", "Acute Kidney Injury"),
        ("Acute kidney injuries", "Acute Kidney Injury"),
        ("A.K.I.", "Acute Kidney Injury"),
        ("[acute kidney injury]", "Acute Kidney Injury"),
        ("Acute kidney injury {AKI}", "Acute Kidney Injury"),
        ("\u201cAcute Kidney Injury\u201d", "Acute Kidney Injury"),
        ("급성신손상", "급성 신손상 (Acute Kidney Injury)"),
        ("급 성 신 손 상", "급성 신손상 (Acute Kidney Injury)"),
        ("Colo-rectal cancers", "Colorectal Cancer"),
        ("Colitis, ulcerative", "Ulcerative Colitis"),
        ("Pancreatitis, acute", "Acute pancreatitis"),
        ("Lupus Erythematosus, Systemic", "Systemic Lupus Erythematosus"),
        ("Atrial fibrillation/flutter", "Atrial fibrillation"),
        ("Chronic obstructive pulmonary disease - COPD", "COPD"),
        ("Ischaemic stroke", "Stroke"),
        ("Aneurysmal subarachnoid haemorrhage", "aSAH"),
        ("Sjogren syndrome", "Sj\u00f6gren's syndrome"),
        ("Crohns disease", "Crohn's Disease"),
        ("알러지비염", "알레르기 비염 (Allergic rhinitis)"),
    ],
)
def test_hyphens_dots_brackets_plurals_and_blanks_lose_no_guidelines(spelling: str, disease: str):
    names = Names((disease, "Gout", "위염 (Gastritis)"), known=known_names())
    assert names.place(spelling).disease == disease


@pytest.mark.parametrize(
    "spelling",
    ["Prostrate cancer", "Cancer of the prostrate", "Giant cell arthritis", "Hypertyroidism"],
)
def test_a_misspelled_name_is_refused_without_a_guess_at_the_patients_disease(spelling: str):
    names = Names(("Prostate Cancer", "Giant cell arteritis", "Hyperthyroidism (HT)"))
    assert names.place(spelling).reason == (
        f"the disease name fits no disease of the guidelines{REMEDY}"
    )


@pytest.mark.parametrize("spelling", ["Type 1 diabetes", "Hepatitis A", "Asthma/COPD", "Cancer"])
def test_what_is_nearly_another_disease_is_not_taken_for_it(spelling: str):
    names = Names(("Type 2 diabetes", "Hepatitis B", "Asthma", "COPD", "Lung Cancer"))
    assert names.place(spelling).disease == ""
