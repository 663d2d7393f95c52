//! Headcount: a straight line back from today's number, for the whole company and for each job function.

use anyhow::{Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::data::calendar;
use crate::data::companies::{Company, GROWTH, hash};

const MONTHS: u32 = 25;

#[derive(Debug, Deserialize)]
pub(super) struct Function {
    name: String,
    /// Share of all employees, in per cent.
    share: i64,
    growth_per_mille: i64,
}

impl Function {
    /// Checks that responses can be made from the numbers.
    pub(super) fn check(&self) -> Result<()> {
        ensure!(
            (0..=100).contains(&self.share) && GROWTH.contains(&self.growth_per_mille),
            "`{}` has a `share` from 0 to 100, and a `growth_per_mille` from {} to {}",
            self.name,
            GROWTH.start(),
            GROWTH.end()
        );
        Ok(())
    }
}

pub(super) fn body(functions: &[Function], company: &Company) -> Value {
    let total = Line {
        now: company.employees,
        growth_per_mille: company.growth_per_mille,
    };
    let monthly: Vec<_> = (0..MONTHS)
        .rev()
        .map(|back| json!({"employee_count": total.at(back), "date": calendar::month(back.into())}))
        .collect();
    let by_function = functions.iter().map(|function| {
        let line = Line {
            now: company.employees * function.share / 100,
            growth_per_mille: function.growth_per_mille,
        };
        json!({
            "name": function.name,
            "employee_count": line.now,
            "growth_periods": line.growth(&[6, 12]),
        })
    });
    json!({ "data": {
        "uuid": company.uuid,
        "social_username": company.name.to_lowercase().replace(' ', "-"),
        "social_official_name": company.name,
        "social_id": (hash(&company.domain) % 100_000_000).to_string(),
        "total_employees": company.employees,
        "date": calendar::month(0),
        "growth_periods": total.growth(&[6, 12, 24]),
        "headcount_monthly": monthly,
        "headcount_by_function": by_function.collect::<Vec<_>>(),
    }})
}

struct Line {
    now: i64,
    growth_per_mille: i64,
}

impl Line {
    fn at(&self, months_back: u32) -> i64 {
        self.now - self.now * self.growth_per_mille * i64::from(months_back) / 1_000
    }

    fn growth(&self, windows: &[u32]) -> Vec<Value> {
        let change = |window| {
            let then = self.at(window);
            (self.now - then) * 100 / then.max(1)
        };
        windows
            .iter()
            .map(|&window| json!({"month_difference": window, "change_percentage": change(window)}))
            .collect()
    }
}
