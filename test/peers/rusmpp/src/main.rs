//! A customer of rusmpp (see smpp-customers.test.ts): PORT SYSTEM_ID PASSWORD MODE COUNT HEX…
use futures::{stream::FuturesUnordered, StreamExt};
use rusmpp::pdus::{BindReceiver, BindTransceiver, BindTransmitter, DeliverSmResp, SubmitSm};
use rusmpp::tlvs::MessageSubmissionRequestTlvValue;
use rusmpp::types::{COctetString, OctetString};
use rusmpp::values::{DataCoding, EsmClass, Npi, RegisteredDelivery, Ton, UserMessageReference};
use rusmpp::Pdu;
use rusmppc::{Client, ConnectionBuilder, Event};
use std::collections::VecDeque;
use std::str::FromStr;
use std::time::Duration;
use tokio::io::AsyncReadExt;

#[derive(Clone)]
struct Item {
    number: u16,
    key: String,
    octets: Vec<u8>,
    esm_class: u8,
}

#[derive(Clone)]
struct Customer {
    port: String,
    system_id: String,
    password: String,
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn received(octets: &[u8], is_receipt: bool, source: &str) {
    if !is_receipt {
        println!(r#"{{"kind":"text","source":"{source}","octets":"{}"}}"#, hex(octets));
        return;
    }
    let text = String::from_utf8_lossy(octets).into_owned();
    let field = |name: &str| text.split(' ').find_map(|part| part.strip_prefix(name)).unwrap_or("").to_string();
    println!(r#"{{"kind":"receipt","id":"{}","state":"{}"}}"#, field("id:"), field("stat:"));
}

macro_rules! bind {
    ($request:ident, $customer:expr) => {
        $request::builder()
            .system_id(COctetString::from_str(&$customer.system_id).unwrap())
            .password(COctetString::from_str(&$customer.password).unwrap())
            .build()
    };
}

async fn bound(customer: &Customer, mode: &str) -> Client {
    loop {
        if let Some(client) = try_bind(customer, mode).await {
            return client;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn try_bind(customer: &Customer, mode: &str) -> Option<Client> {
    let url = format!("smpp://127.0.0.1:{}", customer.port);
    let builder = ConnectionBuilder::new().response_timeout(Duration::from_secs(5));
    let (client, mut events) = builder.connect(url).await.ok()?;
    let answering = client.clone();
    tokio::spawn(async move {
        while let Some(event) = events.next().await {
            let Event::Incoming(command) = event else { continue };
            let Some(Pdu::DeliverSm(deliver)) = command.pdu() else { continue };
            let is_receipt = u8::from(deliver.esm_class) & 0x04 != 0;
            received(deliver.short_message().as_ref(), is_receipt, deliver.source_addr.as_str());
            let _ = answering.deliver_sm_resp(command.sequence_number(), DeliverSmResp::default()).await;
        }
    });
    let is_good = match mode {
        "transmitter" => client.bind_transmitter(bind!(BindTransmitter, customer)).await.is_ok(),
        "receiver" => client.bind_receiver(bind!(BindReceiver, customer)).await.is_ok(),
        _ => client.bind_transceiver(bind!(BindTransceiver, customer)).await.is_ok(),
    };
    is_good.then_some(client)
}

async fn submit(client: Client, item: Item) -> Result<(Item, String), Item> {
    let submit = SubmitSm::builder()
        .source_addr_ton(Ton::National)
        .source_addr_npi(Npi::Isdn)
        .source_addr(COctetString::from_str("30001234").unwrap())
        .dest_addr_ton(Ton::International)
        .dest_addr_npi(Npi::Isdn)
        .destination_addr(COctetString::from_str("989121234500").unwrap())
        .esm_class(EsmClass::from(item.esm_class))
        .registered_delivery(RegisteredDelivery::from(1))
        .data_coding(DataCoding::from(8))
        .short_message(OctetString::new(item.octets.clone()).unwrap())
        .push_tlv(MessageSubmissionRequestTlvValue::UserMessageReference(UserMessageReference::new(item.number)))
        .build();
    match client.submit_sm(submit).await {
        Ok(answer) => Ok((item, answer.message_id().as_str().to_string())),
        Err(_) => Err(item),
    }
}

async fn submit_all(customer: Customer, mode: &'static str, mut waiting: VecDeque<Item>) {
    loop {
        let client = bound(&customer, mode).await;
        let mut open = FuturesUnordered::new();
        let mut is_up = true;
        while is_up {
            while open.len() < 10 {
                let Some(item) = waiting.pop_front() else { break };
                open.push(submit(client.clone(), item));
            }
            match open.next().await {
                Some(Ok((item, id))) => println!(r#"{{"kind":"submitted","key":"{}","id":"{id}"}}"#, item.key),
                Some(Err(item)) => {
                    waiting.push_back(item);
                    is_up = false;
                }
                None => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    is_up = client.is_active();
                }
            }
        }
        while let Some(ended) = open.next().await {
            match ended {
                Ok((item, id)) => println!(r#"{{"kind":"submitted","key":"{}","id":"{id}"}}"#, item.key),
                Err(item) => waiting.push_back(item),
            }
        }
    }
}

async fn receive(customer: Customer) {
    loop {
        bound(&customer, "receiver").await.closed().await;
    }
}

async fn tell_refusal(customer: Customer) {
    let url = format!("smpp://127.0.0.1:{}", customer.port);
    let builder = ConnectionBuilder::new().response_timeout(Duration::from_secs(5));
    let (client, mut events) = builder.connect(url).await.unwrap();
    tokio::spawn(async move { while events.next().await.is_some() {} });
    let refusal = client.bind_transceiver(bind!(BindTransceiver, customer)).await.err();
    println!(r#"{{"kind":"refused","words":{:?}}}"#, format!("{refusal:?}").replace('"', ""));
}

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().collect();
    let customer = Customer { port: args[1].clone(), system_id: args[2].clone(), password: args[3].clone() };
    if args[4] == "refused" {
        return tell_refusal(customer).await;
    }
    let mut waiting = VecDeque::new();
    for (index, octets) in args[6..].iter().enumerate() {
        let number = 10_000 + index as u16;
        waiting.push_back(Item { number, key: format!("part-{index}"), octets: unhex(octets), esm_class: 0x40 });
    }
    for index in 0..args[5].parse::<u16>().unwrap() {
        let octets = format!("item {index}").encode_utf16().flat_map(|unit| unit.to_be_bytes()).collect();
        waiting.push_back(Item { number: index, key: format!("item-{index}"), octets, esm_class: 0 });
    }
    let is_apart = args[4] == "apart";
    if is_apart {
        tokio::spawn(receive(customer.clone()));
    }
    tokio::spawn(submit_all(customer, if is_apart { "transmitter" } else { "transceiver" }, waiting));
    let _ = tokio::io::stdin().read_to_end(&mut Vec::new()).await;
    println!(r#"{{"kind":"ended"}}"#);
    std::process::exit(0);
}
